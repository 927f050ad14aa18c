-- nothing here depends on the order of a hash
local t, seen = { z = 1, a = 2, m = 3, [10] = 4, [2] = 5, [true] = 6 }, {}
for k in pairs(t) do seen[#seen + 1] = tostring(k) end
assert(table.concat(seen, " ") == "2 10 a m z true")
assert(next({}) == nil and next({ b = 1, a = 2 }) == "a")
local s = { { 2, "b" }, { 1, "a" }, { 2, "a" }, { 1, "b" } }
table.sort(s, function(x, y) return x[1] < y[1] end)
assert(s[1][2] == "a" and s[2][2] == "b" and s[3][2] == "b" and s[4][2] == "a")
assert(tostring(16384.0) == "16384" and ("%s %d %%s"):format(2^20, 3.0) == "1048576 3 %s")
assert(tostring({}) == "table" and string.format("%s", print) == "function")
local m = setmetatable({}, { __index = function(_, k) return k .. "!" end })
assert(m.x == "x!")
experiment "order" { variants = { variant "a" { "lab", env = { B = 1, A = 2 } }, variant "b" { "lab" } },
    sweep = { z = { 1 }, a = { 2 } } }

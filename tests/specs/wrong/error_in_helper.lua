local function half(n)
    if n % 2 ~= 0 then error("odd: " .. n) end
    return n // 2
end
local a = half(4)
local b = half(5)

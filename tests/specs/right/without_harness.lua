-- no harness: whole-process values by default
local list = {}
for i, name in ipairs { "quick", "slow" } do
    list[i] = variant(name, { "run", args = { name } })
end
experiment("processes", { variants = list, design = { looks = 5, pairs = 20 } })

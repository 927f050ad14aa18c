local many = {}
for i = 1, 1000 do many[i] = i end
experiment "e" { variants = { variant "a" { "lab" }, variant "b" { "lab" } },
    sweep = { a = many, b = many } }

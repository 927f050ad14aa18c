experiment "e" { variants = { variant "a" { "lab" }, variant "b" { "lab" } },
    sweep = { ["a-b"] = { 1 } } }

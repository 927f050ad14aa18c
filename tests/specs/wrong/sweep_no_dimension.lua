experiment "e" { variants = { variant "a" { "lab" }, variant "b" { "lab" } },
    sweep = {} }

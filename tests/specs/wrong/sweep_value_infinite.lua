experiment "e" { variants = { variant "a" { "lab" }, variant "b" { "lab" } },
    sweep = { n = { 1, 1/0 } } }

experiment "e" { variants = { variant "a" { "lab" }, variant "b" { "lab" } },
    sweep = { n = { 16384, 2^14 } } }

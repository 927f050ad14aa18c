experiment "e" { variants = {
    variant "a" { "lab",
        args = { "--x",
            true } },
    variant "b" { "lab" } } }

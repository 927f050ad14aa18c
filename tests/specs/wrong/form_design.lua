experiment "e" {
    variants = { variant "a" { "lab", args = { "--kernel=a" } }, variant "b" { "lab", args = { "--kernel=b" } } },
    design   = { pairs = 16 },
    forms    = {
        full = {
            about  = "x",
            design = {
                samples = 0,
            },
        },
    },
}

experiment "e" {
    variants = { variant "a" { "lab", args = { "--kernel=a" } }, variant "b" { "lab", args = { "--kernel=b" } } },
    design   = {
        pairs = 5,
        blocks = 5,
    },
}

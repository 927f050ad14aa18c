experiment "x" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b" } },
    },
    counters = { "cycles", "instruction" },
}

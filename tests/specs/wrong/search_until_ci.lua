experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b" } },
        variant "c" { "lab", args = { "--kernel=c", "--n={n}" } },
    },
    sweep = { n = { 1, 2 } },
    design = { until_ci = 0.01, max_pairs = 40 },
    search = {},
}

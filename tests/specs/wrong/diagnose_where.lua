experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a", "--n={n}" } },
        variant "b" { "lab", args = { "--kernel=b", "--n={n}" } },
    },
    sweep    = { n = { 1, 2 } },
    diagnose = { "gnu_time", where = { n = 3 } },
}

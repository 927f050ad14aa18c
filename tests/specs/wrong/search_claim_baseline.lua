experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b" } },
        variant "c" { "lab", args = { "--kernel=c", "--n={n}" } },
    },
    sweep = { n = { 1, 2 } },
    search = { name = "kernel", against = "b" },
    claims = { faster(search("kernel"), "a") },
}

experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a", "--t={threads}" } },
        variant "b" { "lab", args = { "--kernel=b", "--t={threads}" } },
    },
    sweep   = { threads = { 1, 2 }, n = { 1, 2 } },
    blocked = { "threads" },
    claims  = { faster("b threads=2", "a threads=1", { where = { threads = 2 } }) },
}

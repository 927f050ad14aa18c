experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a", "--t={threads}" }, at = { threads = 1 } },
        variant "b" { "lab", args = { "--kernel=b", "--t={threads}" } },
    },
    sweep   = { threads = { 1, 2 }, n = { 1, 2 } },

}

experiment "chosen" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b" } },
        variant "c" { "lab", args = { "--kernel=c" } },
        variant "d" { "lab", args = { "--kernel=d" } },
    },
    design = { pairs = 24 },
    search = { name = "kernel", among = { "b", "c" }, against = "d", share = 0.25 },
    claims = { faster(search("kernel"), "d", { by = 1.1 }), not_slower("b", "a") },
}

experiment "of_all" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b" } },
        variant "c" { "lab", args = { "--kernel=c" } },
    },
    search = {},
}

experiment "of_a_dimension" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" }, at = { chunk = 4 } },
        variant "b" { "lab", args = { "--kernel=b", "--chunk={chunk}" } },
    },
    sweep   = { chunk = { 4, 8 } },
    blocked = { "chunk" },
    search  = { over = "chunk" },
    claims  = { faster(search("chunk"), "a") },
}

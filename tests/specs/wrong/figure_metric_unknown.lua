experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b" } },
    },
    metrics = { "wall_us", "cpu_us" },
    figures = {
        figure "speedup" { metric = "cpu_ms" },
    },
}

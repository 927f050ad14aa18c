experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b" } },
    },
    metrics = { "wall_us", { "process_wall_us", per = "flop" } },
}

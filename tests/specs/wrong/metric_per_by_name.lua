experiment "e" {
    variants = { variant "a" { "lab", args = { "--kernel=a" } }, variant "b" { "lab", args = { "--kernel=b" } } },
    metric = "wall_us_per_flop",
}

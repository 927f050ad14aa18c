experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" }, cfg = { len = 8, iters = 1, flops = 2 } },
        variant "b" { "lab", args = { "--kernel=b" }, cfg = { len = 8, iters = 1 } },
    },
    metric = { "wall_us", per = "flop" },
}

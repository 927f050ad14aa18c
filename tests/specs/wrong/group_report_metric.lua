experiment "e" {
    variants = { variant "a" { "lab", args = { "--kernel=a" } }, variant "b" { "lab", args = { "--kernel=b" } } },
    group_report = { statistic = "mean", metric = "cpu_us" },
}

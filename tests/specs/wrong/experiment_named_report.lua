experiment "report" {
    variants = { variant "a" { "lab", args = { "--kernel=a" } }, variant "b" { "lab", args = { "--kernel=b" } } },
}

experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b" } },
    },
    diagnose = { "gnu_time", variants = { "c" } },
}

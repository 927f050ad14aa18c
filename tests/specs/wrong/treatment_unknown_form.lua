experiment "e" {
    variants = { variant "a" { "lab", args = { "--kernel=a", "--t={threads}" } } },
    sweep    = { threads = { 1, 2 } },
    blocked  = { "threads" },
    compare  = { { treatment "a", "a threads=1" } },
}

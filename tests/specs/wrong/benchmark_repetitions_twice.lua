experiment "e" {
    variants = {
        variant "a" { program "cat" { "cat" } },
        variant "b" { "cat", args = { "--benchmark_repetitions=5" } },
    },
    reader = "google-benchmark",
    design = { samples = 3 },
}

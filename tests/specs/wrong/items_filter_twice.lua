experiment "e" {
    variants = {
        variant "a" { program "cat" { "cat" } },
        variant "b" { "cat", args = { "--benchmark_filter=x" } },
    },
    reader = "google-benchmark",
    items = "BM_.*",
}

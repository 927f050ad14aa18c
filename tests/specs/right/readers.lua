local cat = program "cat" { "cat" }

experiment "benchmarks" {
    variants = {
        variant "a" { cat, args = { "--benchmark_min_time=0.1" } },
        variant "b" { cat, args = { "--benchmark_format=json" } },
    },
    reader = "google-benchmark",
    items = "BM_(sum|sort/[0-9]+)",
    design = { samples = 3 },
    metrics = { "cpu_us", { "items_per_second", unit = "1/s", better = "higher" }, "max_rss_kib" },
    claims = { faster("b", "a", { item = "BM_sum" }), not_slower("b", "a", { within = 0.02 }) },
}

experiment "patterns" {
    variants = { variant "a" { cat }, variant "b" { cat, args = { "-" } } },
    reader = "patterns",
    metrics = { { "latency", pattern = "^p99 latency: ([%d.]+)", unit = "us" }, "process_wall_us" },
}

experiment "e" {
    variants = { variant "a" { program "cat" { "cat" } }, variant "b" { "cat", args = { "-" } } },
    reader = "patterns",
    metrics = { { "latency", pattern = "latency: ([%d.]+)", unit = "us" }, "wall_us" },
}

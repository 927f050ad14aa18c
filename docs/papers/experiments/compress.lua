local gzip = program "gzip" { "gzip" }

experiment "compress" {
    question = "How much longer does gzip -6 take than gzip -1?",
    variants = {
        variant "fast"    { gzip, args = { "-1", "-c" }, stdin = input "build/numbers" },
        variant "default" { gzip, args = { "-6", "-c" }, stdin = input "build/numbers" },
    },
    metric  = { "wall_us", better = "lower" },
    claims  = { slower("default", "fast") },
    figures = { figure "ratios" {} },
}

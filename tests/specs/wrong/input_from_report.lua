experiment "e" {
    variants = { variant "a" { "lab", inputs = { "build/report/summary.csv" } }, variant "b" { "lab" } },
}

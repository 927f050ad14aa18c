experiment "x" {
    variants = {
        variant "a" { program "p" { "true" } },
        variant "b" { program "q" { "false" } },
    },
    counters = { "cycles" },
}

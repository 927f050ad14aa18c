experiment "e" {
    variants = { variant "a" { program "cat" { "cat" } }, variant "b" { "cat", args = { "-" } } },
    items = "BM_.*",
}

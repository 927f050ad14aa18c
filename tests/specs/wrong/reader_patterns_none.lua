experiment "e" {
    variants = { variant "a" { program "cat" { "cat" } }, variant "b" { "cat", args = { "-" } } },
    reader = "patterns",
}

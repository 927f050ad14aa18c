experiment "e" {
    variants = { variant "a" { program "cat" { "cat" } }, variant "b" { "cat", args = { "-" } } },
    claims = { faster("b", "a", { item = "other" }) },
}

experiment "e" {
    variants = { variant "a" { "lab" }, variant "b" { "lab" }, variant "c" { "lab" } },
    claims = { faster("c", "b") },
}

experiment "e" {
    variants = {
        variant "a",
        variant "b" { "lab" },
    },
}

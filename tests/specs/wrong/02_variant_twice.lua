experiment "e" {
    variants = {
        variant "a" { "lab" },
        variant "a" { "lab" },
    },
}

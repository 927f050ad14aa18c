experiment "e" {
    variants = {
        variant "a" { "lap" },
        variant "b" { "lab" },
    },
}

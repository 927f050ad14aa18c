experiment "e" {
    variants = {
        variant "a" { "lab" },
        variant "b" { "lab",
            args = {
                "--n={n}",
                "--m={m}",
            } },
    },
    sweep = { n = { 1, 2 } },
}

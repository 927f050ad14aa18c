experiment "e" {
    variants = {
        variant "a" { "lab",
            stdin = input "data/{n}.txt" },
        variant "b" { "lab" } },
    sweep = { n = { 1, 3 } },
}

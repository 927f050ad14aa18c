local prog = nil
experiment "e" {
    variants = {
        variant "a" { prog, args = {} },
        variant "b" { "lab" },
    },
}

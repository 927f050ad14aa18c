experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b" } },
    },
    figures = { figure "scaling" {} },
}

experiment "e" {
    variants = { variant "plain" { "lab_{compile}", args = { "x" } } },
    sweep    = { compiler = { "gcc", "icc" } },
    blocked  = { "compiler" },
}

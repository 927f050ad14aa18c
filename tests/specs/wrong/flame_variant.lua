local p = program "p" { "/bin/true" }
experiment "e" {
    variants = { variant "a" { p }, variant "b" { p } },
    diagnose = { "callgrind" },
    figures  = { figure "flame" { variant = "c" } },
}

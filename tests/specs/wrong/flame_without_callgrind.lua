local p = program "p" { "/bin/true" }
experiment "e" {
    variants = { variant "a" { p }, variant "b" { p } },
    diagnose = { "gnu_time" },
    figures  = { figure "flame" {} },
}

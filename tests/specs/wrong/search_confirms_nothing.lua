local p = program "p" { "/bin/true" }
experiment "e" {
    variants = { variant "a" { p }, variant "b" { p }, variant "c" { p } },
    search   = { among = { "b", "c" }, against = "a", share = 0.95 },
    design   = { pairs = 12 },
}

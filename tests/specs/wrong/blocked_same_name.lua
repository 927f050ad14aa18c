local p = program "p" { "/bin/true" }
experiment "e" {
    variants = { variant "a" { p, args = { "{x}", "{y}" } }, variant "b" { p, args = { "{x}", "{y}" } } },
    sweep    = { x = { "1 y=2", "1" }, y = { "2 y=2", "2" } },
    blocked  = { "x", "y" },
}

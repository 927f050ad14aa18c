experiment "e" { variants = {
    variant "a" { "lab", args = { "{n" } },
    variant "b" { "lab" } }, sweep = { n = { 1 } } }

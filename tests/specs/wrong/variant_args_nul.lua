experiment "e" { variants = {
    variant "a" { "lab", args = { "a\0b" } },
    variant "b" { "lab" } } }

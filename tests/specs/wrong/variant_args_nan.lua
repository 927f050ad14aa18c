experiment "e" { variants = {
    variant "a" { "lab", args = { 0/0 } },
    variant "b" { "lab" } } }

experiment "e" { variants = {
    variant "a" { "lab", args = { "\xff" } },
    variant "b" { "lab" } } }

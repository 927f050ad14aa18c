experiment "e" { variants = {
    variant "a" { "lab", arg = {} },
    variant "b" { "lab" } } }

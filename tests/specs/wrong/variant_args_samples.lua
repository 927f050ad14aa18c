experiment "e" { variants = {
    variant "a" { "lab", args = { "--samples=5" } },
    variant "b" { "lab" } } }

experiment "e" { variants = {
    variant "a" { "lab", env = { "A=B" } },
    variant "b" { "lab" } } }

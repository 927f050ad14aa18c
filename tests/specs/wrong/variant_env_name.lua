experiment "e" { variants = {
    variant "a" { "lab", env = { ["A=B"] = "x" } },
    variant "b" { "lab" } } }

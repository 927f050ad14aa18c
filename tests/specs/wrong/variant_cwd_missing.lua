experiment "e" { variants = {
    variant "a" { "lab", cwd = "nowhere" },
    variant "b" { "lab" } } }

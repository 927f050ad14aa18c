experiment "e" { variants = {
    variant "a" { "lab", stdin = input "../x" },
    variant "b" { "lab" } } }

experiment "e" { variants = {
    variant "a" { "lab", prepare = "sync" },
    variant "b" { "lab" } } }

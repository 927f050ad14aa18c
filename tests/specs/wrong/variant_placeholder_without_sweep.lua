experiment "e" { variants = {
    variant "a" { "lab", args = { "{n}" } },
    variant "b" { "lab" } } }

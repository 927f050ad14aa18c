experiment "e" { variants = {
    variant "a" { "lab", cfg = { len = "{n}" } },
    variant "b" { "lab" } }, sweep = { n = { 1 } } }

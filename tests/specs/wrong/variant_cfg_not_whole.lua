experiment "e" { variants = {
    variant "a" { "lab", cfg = { len = "{n}", iters = 1 } },
    variant "b" { "lab" } }, sweep = { n = { 1.5 } } }

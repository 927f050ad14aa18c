experiment "e" { variants = {
    variant "a" { "lab",
        stdin = input "data/absent.gz" },
    variant "b" { "lab" } } }

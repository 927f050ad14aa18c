experiment "e" { variants = {
    variant "a" { "lab",
        args = "--n=5 --fast" },
    variant "b" { "lab" } } }

experiment "e" { variants = { variant "a" { "lab" } } }

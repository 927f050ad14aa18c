experiment "e" { variants = { a = variant "a" { "lab" } } }

experiment "e" { variants = { "a", "b" } }

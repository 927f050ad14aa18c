local p = program "p" { source = git { "repository/bench", rev = "main" }, output = "../../x" }
experiment "e" { variants = { variant "a" { p }, variant "b" { p } }, reader = "process" }

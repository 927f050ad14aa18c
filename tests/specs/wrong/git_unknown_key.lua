local p = program "p" { source = git { "repository", rev = "main", depth = 1 }, output = "x" }
experiment "e" { variants = { variant "a" { p }, variant "b" { p } }, reader = "process" }

local p = program "p" { source = git { "repository", rev = "--all" }, output = "x" }
experiment "e" { variants = { variant "a" { p }, variant "b" { p } }, reader = "process" }

local p = program "p" { source = git { "repository", rev = "main" }, output = "/bin/x" }
experiment "e" { variants = { variant "a" { p }, variant "b" { p } }, reader = "process" }

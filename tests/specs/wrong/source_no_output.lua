local p = program "p" { source = git { "repository", rev = "main" }, build = "make" }
experiment "e" { variants = { variant "a" { p }, variant "b" { p } }, reader = "process" }

local p = program "p" { source = git { "repository", rev = "main" }, build = { "a\nb" }, output = "x" }
experiment "e" { variants = { variant "a" { p }, variant "b" { p } }, reader = "process" }

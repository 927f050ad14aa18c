local p = program "p" { source = git { "repository", rev = "main" }, output = "x" }
local q = program "p" { source = git { "repository", rev = "other" }, output = "x" }
experiment "e" { variants = { variant "a" { p }, variant "b" { p } }, reader = "process" }

local p = program "p" { "/bin/true", needs = "numpy" }
experiment "e" { variants = { variant "a" { p }, variant "b" { p } }, reader = "process" }

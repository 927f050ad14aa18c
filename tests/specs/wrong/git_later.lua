local p = program "zip" { source = git { ".", rev = "main" } }

local p = program "p" { "/bin/true", needs = { "" } }

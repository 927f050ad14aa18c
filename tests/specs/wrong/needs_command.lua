local p = program "p" { "/bin/true",
    needs = { "sh",
        numpy = true } }

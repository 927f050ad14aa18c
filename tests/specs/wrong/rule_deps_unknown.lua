rule "bad" { command = "cc", depfile = "d", deps = "foo" }

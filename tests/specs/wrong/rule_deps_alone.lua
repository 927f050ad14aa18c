rule "bad" { command = "cc", deps = "gcc" }

rule "bad" { command = "echo ${unclosed" }

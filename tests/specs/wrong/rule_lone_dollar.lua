rule "bad" { command = "echo $(date)" }

rule "r" { command = "x" }
rule "r" { command = "y" }

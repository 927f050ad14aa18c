rule "r" { description = "x" }

rule "bad" { command = "cc @x", rspfile = "x" }

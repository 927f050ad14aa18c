local p = program "zip" { source = ".", output = "x" }

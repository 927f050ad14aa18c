program "lab" { "tools/run" }

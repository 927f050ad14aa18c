program "p" { "tools/run" }
program "p" { "tools/run", scripts = "data/1.txt" }

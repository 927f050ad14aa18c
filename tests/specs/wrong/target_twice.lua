target "t" { needs = "data/1.txt" }
target "t" { needs = "data/1.txt" }

local k = python "k" { needs = "numpy" }

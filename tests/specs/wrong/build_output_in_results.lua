build { rule = "phony", outputs = "results/x" }

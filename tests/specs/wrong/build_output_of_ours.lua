build { rule = "phony", outputs = "build/stats/x.json" }

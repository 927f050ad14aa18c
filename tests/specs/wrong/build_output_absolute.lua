build { rule = "phony", outputs = "/tmp/x" }

build { rule = "phony", outputs = "build.ninja" }

build { rule = "phony", inputs = "data/1.txt" }

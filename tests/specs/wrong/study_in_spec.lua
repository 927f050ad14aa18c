study{ name = "x" }

study{ title = "x" }

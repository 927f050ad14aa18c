study{ name = "s" }

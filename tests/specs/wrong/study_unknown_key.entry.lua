study{ nmae = "x" }

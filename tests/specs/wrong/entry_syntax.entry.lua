study{ name = "s" }
runner "lab {

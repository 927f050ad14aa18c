study{ name = "s" }
experiments "specs/*.lua"

study{ name = "s" }

study{ name = "s" }

rule "r" {
    command = "a\nb" }

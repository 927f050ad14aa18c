experiment "e" {
    question = "?",
}

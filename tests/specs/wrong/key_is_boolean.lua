experiment "e" {
    [true] = 1,
}

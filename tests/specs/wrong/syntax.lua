experiment "e" {
    variants = = {},
}

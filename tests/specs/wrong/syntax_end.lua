experiment "e" {
    variants = {},

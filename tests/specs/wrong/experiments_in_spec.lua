experiments "more/*"

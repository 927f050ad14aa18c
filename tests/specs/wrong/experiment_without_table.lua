experiment "e"

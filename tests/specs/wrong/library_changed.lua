string.format = nil

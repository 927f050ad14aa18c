local x = math.flor(5)

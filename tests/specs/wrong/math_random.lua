local x = math.random(5)

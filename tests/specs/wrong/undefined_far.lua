local x = 5 + qqqqqqq

local x = 1
size = 4
local n = sise + x

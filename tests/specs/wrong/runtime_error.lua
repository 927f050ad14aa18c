local t

local x = t.y

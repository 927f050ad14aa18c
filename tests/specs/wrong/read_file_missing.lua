
local x = read_file "data/none"

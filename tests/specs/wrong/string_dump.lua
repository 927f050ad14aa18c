local x = string.dump(function() end)

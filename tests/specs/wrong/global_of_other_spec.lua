local x = entry_global

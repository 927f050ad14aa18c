local x = glob "data/**"

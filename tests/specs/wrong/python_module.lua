local k = python "k" { "tools/run", needs = "numpy; import os" }

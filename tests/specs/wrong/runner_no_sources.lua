runner "r" { cflags = { "-O2" } }

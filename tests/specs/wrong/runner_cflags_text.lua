runner "r" { "kernels/lab.c",
    cflags = "-O2 -g" }

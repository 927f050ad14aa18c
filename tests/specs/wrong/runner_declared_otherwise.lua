runner "lab" { "kernels/lab.c" }
runner "lab" { "kernels/lab.c", cflags = { "-O3" } }

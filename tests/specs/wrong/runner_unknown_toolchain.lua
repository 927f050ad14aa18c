toolchain "gcc" { cc = "gcc" }
runner "r" { "kernels/lab.c", toolchain = "gc" }

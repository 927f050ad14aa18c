watermark "w" { "kernels/lab.c", without = { "locks" } }

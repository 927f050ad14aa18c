watermark "w" { "kernels/lab.c", perturb = { "locks" } }

local w = watermark "w" { "kernels/lab.c", args = { "--n={n}" } }

experiment "e" {
    sweep = { n = { 1, 2 } },
    variants = { w[2], w[3] },
}

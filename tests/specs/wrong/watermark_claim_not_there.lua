local w = watermark "w" { "kernels/lab.c", args = { "--n={n}" } }

experiment "e" {
    sweep = { n = { 1, 2 } },
    variants = { w[1], w[2] },
    claims = { sensitive("w", "one_element") },
}

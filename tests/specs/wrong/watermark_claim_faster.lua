local w = watermark "w" { "kernels/lab.c", args = { "--n={n}" } }

experiment "e" {
    sweep = { n = { 1, 2 } },
    variants = w,
    claims = { faster("w:one_element", "w") },
}

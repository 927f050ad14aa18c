local w = watermark "w" { "kernels/lab.c", args = { "--n={n}" } }

experiment "e" {
    sweep = { n = { 1, 2 } },
    variants = w,
    correct = { check = "equal", among = { { "w", "w:one_element" } } },
}

local kernel = watermark "kernel" {
    "kernels/lab.c", cflags = { "-O3" }, args = { "--kernel=k", "--n={n}" }, work = { flops = "{n}", bytes = 8 },
    cfg = { len = "{n}", iters = 1 },
}

experiment "e" {
    variants = kernel,
    sweep    = { n = { 1, 2 } },
    design   = { pairs = 20 },
    correct  = { check = "equal" },
    claims   = { sensitive("kernel", "one_element", { by = 1.5, where = { n = 2 } }),
                 insensitive("kernel", "arithmetic_added", { within = 0.07 }), sensitive("kernel", "arithmetic_added"),
                 sensitive("kernel", "sync_removed") },
}

local two = watermark "two" { "kernels/lab.c", args = { "--n={n}" }, without = { "sync_removed", "one_element" } }

experiment "blocked" {
    variants = two,
    sweep    = { n = { 1, 2 } },
    blocked  = { "n" },
    correct  = { check = "equal" },
    claims   = { sensitive("two n=2", "arithmetic_removed") },
}

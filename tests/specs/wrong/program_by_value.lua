runner "lab_gcc" { "kernels/lab.c" }
experiment "e" {
    variants = { variant "plain" { "lab_{compiler}", args = { "x" } } },
    sweep    = { compiler = { "gcc", "icc" } },
    blocked  = { "compiler" },
}

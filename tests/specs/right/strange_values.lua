experiment "strange" {
    variants = { variant "-O2" { "lab", args = { "{s}" } }, variant "g++:-O3" { "lab" } },
    sweep = { s = { "../../etc/passwd", "ü", "", ".", "..", "a\nb", ("x"):rep(300), ("x"):rep(301), "1" }, },
}
experiment "strange2" {
    variants = { variant "a" { "lab" }, variant "b" { "lab" } },
    sweep = { s = { 1, "1", true, "true", 1.5, 1e300, -0.0, 2^53, 1e-7, 0.1 } },
}

-- The program of a treatment depends on a blocked value, and so do its needs and what the harness gets.
runner "lab_here" { "kernels/lab.c", needs = { version = "echo 7" } }
runner "lab_nowhere" { "kernels/lab.c", needs = "no-such-compiler" }

experiment "compilers" {
    variants = { variant "plain" { "lab_{compiler}", args = { "--kernel=plain", "-O{level}" } } },
    sweep    = { compiler = { "here", "nowhere" }, level = { 0, 2 } },
    blocked  = { "compiler", "level" },
    reader   = "protocol",
}

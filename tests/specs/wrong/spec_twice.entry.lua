study{ name = "s" }
runner "lab" { "kernels/lab.c" }
experiments "more/good.lua"
experiments "more/*"

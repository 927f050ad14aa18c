runner "r" { "kernels/lab.cc" }

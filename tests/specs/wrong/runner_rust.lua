runner "r" { "kernels/lab.rs" }

toolchain "t" {}
toolchain "t" {}

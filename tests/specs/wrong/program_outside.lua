program "p" { "../run" }

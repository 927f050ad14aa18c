rule "assay_x" { command = "x" }

rule "copy" { command = "cp $in $out" }
build { rule = "copy", outputs = "build/x",
    inputs = { "build/report/results.tex", "build/report/figures/e-runs.svg", "build/report/results.txt" } }
experiment "e" {
    variants = { variant "a" { "lab" }, variant "b" { "lab" } },
    figures = { figure "runs" {} },
}

rule "copy" { command = "cp $in $out" }
build { rule = "cpoy", inputs = "data/1.txt", outputs = "build/x" }
experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b", "--n={n}" } },
    },
    sweep = { n = { 1, 2 } },
}

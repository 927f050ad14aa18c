rule "copy" { command = "cp $in $out" }
build { rule = "copy",
    inputs = { "data/1.txt", "data/none" }, outputs = "build/x" }
experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b", "--n={n}" } },
    },
    sweep = { n = { 1, 2 } },
}

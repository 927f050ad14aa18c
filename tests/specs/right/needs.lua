-- What lacks is no mistake: its variants are skipped, and what the others' needs answer is kept.
local there = program "there" { "/bin/true", needs = { "env", version = "echo 1.0; echo more" } }
local gone = program "gone" { "assay-no-such-program", needs = {} }
local failing = program "failing" { "/bin/true", needs = { thing = "exit 3" } }
local runner_gone = runner "plus" { "kernels/lab.c", needs = "assay-no-such-compiler" }

experiment "e" {
    variants = {
        variant "a" { there },
        variant "own" { there, needs = { "/no/such/tool", other = "echo 2" } },
        variant "gone" { gone },
        variant "failing" { failing },
        variant "uses" { there, args = { gone } },
        variant "runner" { runner_gone },
    },
    reader = "process",
}

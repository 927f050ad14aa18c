-- What lacks is no mistake: its variants are skipped, and what the others' needs answer is kept.
local there = program "there" { "/bin/true", needs = { "env", version = "echo 1.0; echo more" } }
local gone = program "gone" { "assay-no-such-program", needs = {} }
local failing = program "failing" { "/bin/true", needs = { thing = "exit 3" } }
local runner_gone = runner "plus" { "kernels/lab.c", needs = "assay-no-such-compiler" }
-- An interpreter that says yes to all modules, and one that is not there.
local script = python "script" { "tools/run", "kernels/lab.c", interpreter = "/bin/echo", needs = { "numpy", tool = "echo 3" } }
local no_python = python "no_python" { "tools/run", interpreter = "assay-no-such-python" }

experiment "e" {
    variants = {
        variant "a" { there },
        variant "own" { there, needs = { "/no/such/tool", other = "echo 2" } },
        variant "gone" { gone },
        variant "failing" { failing },
        variant "uses" { there, args = { gone } },
        variant "runner" { runner_gone },
        variant "script" { script, args = { "--n=1" } },
        variant "no_python" { no_python },
    },
    reader = "process",
}

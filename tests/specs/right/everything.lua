local big = toolchain "big" { cc = { "ccache", "gcc" }, cflags = { "-O3", { "-g" } }, libs = { "-lm" } }
runner "plain" { "kernels/lab.c", toolchain = big, harness = false }
rule "copy" { command = "cp $in $out", restat = true, description = "copy" }
local made = build { rule = "copy", inputs = "tools/run", outputs = "build/made", variables = { x = 1 } }
local p = program "made" { output = "build/made", identity = "inputs", inputs = { "tools/run" }, command = "cp" }
target "things" { about = "all of it", needs = { made, p, "plain_alias" }, default = true }
target "plain_alias" { needs = program "again" { "./tools/run" } }
assert(p.path == "build/made" and p.name == "made")
assert(made[1] == "build/made")
assert(read_file "data/1.txt" == "one\n")
assert(env "ASSAY_SURELY_UNSET" == nil)
local files = glob "data/*.txt"
assert(#files == 2 and files[1] == "data/1.txt")

experiment "everything" {
    title = "All keys",
    variants = {
        variant "base" { p, args = { "{n}", 3.0, "{{literal}}", input "data/{n}.txt" },
            env = { B = "{mode}", A = 0.1 }, stdin = input "data/{n}.txt", cwd = "data",
            prepare = { "sync", "{n}" }, ignore_exit = true },
        variant "kernel" { "lab", args = { "--mode={mode}" }, cfg = { len = "{n}", iters = "{iters}" },
            lowers_scale = true },
        variant "said" { "plain", mode = "x{n}", args = { "--kernel=y" }, inputs = { "data/1.txt" } },
    },
    sweep = { { "n", { 2.0, 1 } }, { "mode", { "fast", "s/l.o w" } }, { "on", { true, false } } },
    derive = {
        iters = function(p) return 2^20 // p.n end,
        twice = function(p) return p.iters * 2 end,
    },
    when = function(p) return p.on or p.twice > 2^20 end,
    cpus = "{n} cores",
    design = { pairs = 16.0, until_ci = 0.01, max_pairs = 40, budget = "5m", order = "alternate",
        aa_placement = "first", collapse = "trimmed_mean", samples = 3, warmup_samples = 0, seed = 7 },
    metrics = {
        { "wall_us", per = "flop" }, "max_rss_kib",
        { "l2_misses", unit = "1", better = "lower" }, { "user_us", better = "lower" },
    },
    correct = { check = { rel = 1e-9 }, among = { { "base", "kernel" } }, stdout = "sha256", exit_code = 2 },
    compare = { { "kernel", "base" }, { "said", "kernel" } },
    claims = {
        slower("said", "kernel", { by = 1.5, where = { n = 2, mode = "fast" } }),
        equivalent("kernel", "base", { within = 0.07 }),
    },
    invalid_if = { load_above = 1.5, preempted_above = 0.05 },
    figures = { figure "runs" { label = "one" }, figure "runs" { label = "two", zoom = 2.5 },
        figure "runs" { label = "three", where = { n = 1 }, pairs = { { "b", "a" } }, log = true } },
}

-- Forms are experiments of their own: what one does not say is the experiment's.
local function one(name)
    return variant(name) { "lab", args = { "--kernel=" .. name, "--n={n}" },
                           cfg = { len = "{n}", iters = "{iters}", flops = 2 } }
end

experiment "speed" {
    variants = { one "a", one "b", one "c" },
    sweep    = { n = { 4, 8 } },
    derive   = { iters = function(p) return 2^10 // p.n end },
    design   = { blocks = 10, samples = 3 },
    metrics  = { "wall_us", "cpu_us" },
    claims   = { faster("b", "a") },
    group_report = {},
    forms    = {
        full = {
            about  = "5 blocks; a minute",
            sweep  = { n = { 8 } },
            derive = { iters = function(p) return 2^20 // p.n end },
            design = { blocks = 5, aa_pairs = 0 },
            claims = {},
            group_report = { metric = "cpu_us", statistic = "geomean", trim = 0, tolerance = 0.1,
                             first_block = "counted" },
        },
        verdict = { title = "At length", design = { blocks = 8, whole_squares = true } },
    },
}

-- Dimensions compared inside the block: variants times values, a variant with one value of its own,
-- names of treatments in compare, claims and among, cores by treatment.
experiment "scale" {
    variants = {
        variant "serial" { "lab", args = { "--kernel=plain", "--n={n}" }, at = { threads = 1, layout = "wide" } },
        variant "one"    { "lab", args = { "--kernel={layout}", "--n={n}" }, at = { threads = 1 } },
        variant "many"   { "lab", args = { "--kernel={layout}", "--n={n}", "--rows={rows}" },
                           env = { OMP_NUM_THREADS = "{threads}" } },
    },
    sweep   = { { "threads", { 1, 2 } }, { "n", { 8, 16 } }, { "layout", { "wide", "narrow" } } },
    blocked = { "threads", "layout" },
    derive  = { rows = function(p) return p.n // p.threads end, bytes = function(p) return p.n * 8 end },
    when    = function(p) return not (p.threads == 2 and p.layout == "narrow") end,
    cpus    = "{threads} cores",
    correct = { check = "equal", among = { { "serial", "many" },
                                           { "one layout=wide", treatment("one", { layout = "narrow" }) } } },
    compare = { { treatment("many", { threads = 2, layout = "wide" }), "serial" },
                { "one layout=narrow", "one layout=wide" } },
    claims  = { faster("many layout=wide threads=2", "serial", { where = { n = 16 } }) },
}

-- One variant is enough, and the cores that all have alike are the case's.
experiment "flags" {
    variants = { variant "v" { "lab", args = { "--kernel=v", "-O{level}" } } },
    sweep    = { level = { 0, 2 } },
    blocked  = { "level" },
}

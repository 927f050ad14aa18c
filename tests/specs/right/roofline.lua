experiment "kernel" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a", "--n={n}" }, work = { flops = "{n}", bytes = "{bytes}" } },
        variant "b" { "lab", args = { "--kernel=b", "--n={n}" } },
    },
    sweep    = { n = { 1000, 2000 } },
    derive   = { bytes = function(p) return 24 * p.n end },
    roofline = { peak = "ceilings/fma threads=1", bandwidth = "ceilings/triad threads=2", where = { n = 2000 } },
}

-- By the variant's name: each treatment has the roof of its own threads.
experiment "threaded" {
    variants = {
        variant "serial" { "lab", args = { "--kernel=a" }, at = { threads = 1 }, work = { flops = 1.5, bytes = 12 } },
        variant "a" { "lab", args = { "--kernel=a", "--t={threads}" }, work = { flops = 3, bytes = 12 } },
    },
    sweep    = { threads = { 1, 2 } },
    blocked  = { "threads" },
    roofline = { peak = "ceilings/fma", bandwidth = "ceilings/triad" },
    forms    = { long = { design = { pairs = 40 } } },
}
experiment "ceilings" {
    variants = {
        variant "fma"   { "lab", args = { "--kernel=fma", "--t={threads}" }, work = { flops = "{flops}" } },
        variant "triad" { "lab", args = { "--kernel=triad", "--t={threads}" }, work = { bytes = 24e6 } },
    },
    sweep   = { threads = { 1, 2 } },
    blocked = { "threads" },
    derive  = { flops = function(p) return 1000 end },
}

experiment "kernel" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a", "--n={n}" }, work = { flops = "{n}", bytes = "{bytes}" } },
        variant "b" { "lab", args = { "--kernel=b", "--n={n}" } },
    },
    sweep    = { n = { 1000, 2000 } },
    derive   = { bytes = function(p) return 24 * p.n end },
    roofline = { peak = "ceiling/fma threads=1", bandwidth = "ceilings/triad threads=1" },
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

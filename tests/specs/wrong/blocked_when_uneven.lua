experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a", "--t={threads}" } },
        variant "b" { "lab", args = { "--kernel=b", "--t={threads}" } },
    },
    sweep   = { threads = { 1, 2 }, n = { 1, 2 } },
    blocked = { "threads" },
    when    = function(p) return p.n == 1 or p.threads == 1 end,
}

experiment "e" {
    variants = { variant "a" { "lab", args = { "--kernel=a", "--t={threads}" } } },
    sweep    = { threads = { 1, 2 } },
    blocked  = { "threads" },
    when     = function(p) return p.threads == 1 end,
}

experiment "e" {
    variants = {
        variant "a" { "lab", args = { "--kernel=a" } },
        variant "b" { "lab", args = { "--kernel=b", "--n={n}" } },
    },
    sweep = { n = { 1, 2 } },
    derive = { x = function(p) return p.y end,
        y = function(p) return p.x end },
}

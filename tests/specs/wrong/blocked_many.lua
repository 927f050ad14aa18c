local values = {}
for i = 1, 65 do
    values[i] = i
end
experiment "e" {
    variants = { variant "a" { "lab", args = { "--kernel=a", "--t={threads}" } } },
    sweep    = { threads = values },
    blocked  = { "threads" },
}

local function make(name, label)
    experiment(name, {
        variants = { variant "a" { "lab" }, variant "b" { "lab" } },
        figures = { figure "runs" { label = label } },
    })
end
make("a", "b-c")
make("a-b", "c")

experiment "e" { variants = {
    variant "a" { "lab", args = { "--x", nil, nil, "--y" } },
    variant "b" { "lab" } } }

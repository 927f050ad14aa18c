rule "touch" { command = "touch $out" }
build { rule = "touch", outputs = "experiments/build_output_over_spec.lua" }
experiment "e" { variants = { variant "a" { "lab" }, variant "b" { "lab" } } }

local t = {}
t[1] = t
experiment "e" { variants = {
    variant "a" { "lab", args = t },
    variant "b" { "lab" } } }

-- declared in build.ninja.lua too: the same again is the same
local lab = runner "lab" { "kernels/lab.c" }
experiment "x" { variants = { variant "a" { lab }, variant "b" { "lab" } } }

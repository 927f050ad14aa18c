-- Programs at revisions: the path of a tree has one length, whatever the name.
local old = program "old" { source = git { "repository/bench", rev = "v1 \"é\"" }, build = { "make -j{jobs}", "true && $CC" },
    output = "../minigzip", scripts = { "data/x.lua" } }
local again = program "old" { source = git { "repository/bench", rev = "v1 \"é\"" }, build = { "make -j{jobs}", "true && $CC" },
    output = "../minigzip", scripts = { "data/x.lua" } }
local script = program "a_longer_name" { "/bin/sh", source = git { "repository", rev = WORKTREE }, scripts = "run.sh" }
experiment "e" {
    variants = {
        variant "old" { old, cwd = old.folder },
        variant "new" { script, args = { "run.sh" }, cwd = script.folder .. "/sub" },
        variant "again" { again },
    },
    reader = "process",
}

experiment "e" {
    variants = {
        variant "serial" { "lab", args = { "--kernel=a" }, at = { threads = 1 } },
        variant "b" { "lab", args = { "--kernel=b", "--t={threads}" } },
    },
    sweep   = { threads = { 1, 2 } },
    blocked = { "threads" },
    scaling = { over = "threads", serial = "serial", working_set = "{n}" },
}

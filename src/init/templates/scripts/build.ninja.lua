-- The study: its name, and where its experiments are. All that can stand here and in
-- experiments/ is in Assay's docs/spec.md.
study { name = "scripts", title = "Two scripts that do the same" }

experiments "experiments/*"

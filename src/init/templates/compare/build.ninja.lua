-- The study: its name, and where its experiments are. All that can stand here and in
-- experiments/ is in Assay's docs/spec.md.
study { name = "compare", title = "Two commands that do the same" }

experiments "experiments/*"

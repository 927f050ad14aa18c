-- The study: its name, and where its experiments are. All that can stand here and in
-- experiments/ is in Assay's docs/spec.md.
study { name = "hello", title = "Two ways to add up a matrix" }

experiments "experiments/*"

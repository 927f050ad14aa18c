-- The study: its name, and where its experiments are. All that can stand here and in
-- experiments/ is in Assay's docs/spec.md.
study { name = "revisions", title = "The last commit and the work tree" }

experiments "experiments/*"

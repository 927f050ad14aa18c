-- The study: its name, and where its experiments are. All that can stand here and in
-- experiments/ is in Assay's docs/spec.md.
study { name = "google-benchmark", title = "A Google Benchmark program, before and after" }

experiments "experiments/*"

-- A study whose papers are products of its graph, see README.md. `ninja paper` measures what is
-- stale, then fills in or checks the papers.

study { name = "papers", title = "Two papers of one study" }

rule "numbers" { command = "seq 1 50000 > $out", description = "make $out" }
build { outputs = "build/numbers", rule = "numbers" }

experiments "experiments/*"

-- $assay_tool is the assay that wrote the graph.
rule "fill" {
    command = "$assay_tool paper --output $out $in",
    description = "write $out",
}
rule "check" {
    command = "$assay_tool paper $in && touch $out",
    description = "check the names in $in",
}
-- Without TeX no PDF is made, and each `ninja paper` says so.
rule "pdf" {
    command = "if ! command -v pdflatex > /dev/null; then echo 'no pdflatex here: $out is not made'; else "
        .. "pdflatex -halt-on-error -file-line-error -output-directory=build $in; fi",
    description = "typeset $in",
}

local numbers = "build/report/results.tex"

build {
    outputs = "build/paper.md", rule = "fill", inputs = "markdown/paper.md", implicit = numbers,
}
local checked = build {
    outputs = "build/paper.tex.checked", rule = "check", inputs = "latex/paper.tex",
    implicit = numbers,
}
build {
    outputs = "build/paper.pdf", rule = "pdf", inputs = "latex/paper.tex",
    implicit = { numbers, checked, "build/report/figures/compress-ratios.pdf" },
}

target "paper" {
    about = "both papers, with the numbers of this study",
    needs = { "build/paper.md", "build/paper.pdf" },
    default = true,
}

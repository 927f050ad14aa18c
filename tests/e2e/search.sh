#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A search, from the spec to the report: the first blocks choose, the others say how good the chosen
# one is, and that is what a claim about it and the text rest on.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir study && cd study || exit 1
make_tick kernels/tick.c
mkdir experiments
cat >build.ninja.lua <<'END'
study { name = "searched" }
experiments "experiments/*"
END
spec() { # SHARE
	cat <<END
# Which tick is the shortest?

\`\`\`lua
local tick = runner "tick" { "kernels/tick.c", harness = false }
local function one(name, us) return variant(name) { tick, args = { us } } end
experiment "e" {
    variants = { one("base", 800), one("b", 500), one("c", 400), one("d", 600) },
    design   = { pairs = 16, aa_pairs = 0, warmups = 0, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
    search   = { name = "tick", share = $1 },
    claims   = { faster(search("tick"), "base", { by = 1.5 }) },
}
\`\`\`

Chosen: {{ at():search().chosen }} of {{ at():search().blocks }} blocks, {{ at():search().confirmed.pairs }} confirm;
{{ fixed(at():search().candidates.b, 1) }}, {{ fixed(at():search().confirmed.speedup, 1) }}.
END
}
spec 0.25 >experiments/e.md

ends 0 assay generate && ends 0 ninja report && said 'best tick (c) is [12][.0-9]* times as fast as base' &&
	said 'claim C1 supported: best tick is at least 1.5 times as fast as base'
ok 'the best is found and confirmed' || exit 1

cp build/report/report.md "$out"
said 'Chosen: c of 4 blocks, 12 confirm' && said '1.6, 2.0' && said 'Search for the best tick' &&
	said 'among 3 candidates against base, in the first 4 blocks of the plan: c was chosen'
ok 'text and table of the report tell it'

cp build/report/results.tex "$out"
said 'assaydefine{e/-/best-tick/pairs}{12}'
ok 'what the best is called in a paper does not depend on which it is'

# Which blocks choose is settled before they are measured.
spec 0.5 >experiments/e.md
ends 0 assay generate && ends 0 assay status && said 'search'
ok 'another share makes the results stale'

sed 's/search()/search("x").y/' experiments/e.md >experiments/f.md && rm experiments/e.md
ends 4 assay generate && said 'experiments/f.md:16: .*has no "y"'
ok 'an unknown name in the text stops at its line'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Cases that grow by a declared rule, claims that the plan cannot support, and the commands that
# plan and explore: assay power, assay analyse.
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir study && cd study || exit 1
make_tick kernels/tick.c
mkdir experiments
cat >build.ninja.lua <<'END'
study { name = "grow" }
experiments "experiments/*"
END
spec() { # DESIGN-OF-PRECISE PAIRS-OF-CLAIMED
	cat <<END
local tick = runner "tick" { "kernels/tick.c", harness = false }

local function ask(name, design, claims)
    design.aa_pairs, design.warmups, design.timeout = 2, 1, 60
    experiment(name) {
        variants = {
            variant "slow" { tick, args = { "800" } }, variant "quick" { tick, args = { "400" } },
        },
        design   = design,
        reader   = "protocol",
        correct  = { check = "equal" },
        claims   = claims,
    }
end

ask("precise", { $1 })
ask("looked",  { pairs = 40, looks = 4 })
ask("budget",  { pairs = 40, budget = 0.001 })
ask("claimed", { pairs = $2 }, {
    faster("quick", "slow", { by = 1.5 }),
    different("quick", "slow"),
})
END
}

# ---- the planner's refusal ----

spec 'until_ci = 0.02, max_pairs = 40' 8 >experiments/all.lua
ends 4 assay generate && said 'experiments/all.lua:[0-9]*: claim C1, "quick is at least 1.5 times' &&
	said 'can never be supported: 8 pairs have no p below 0.029, and it needs p <= 0.025' &&
	said 'at least 9 pairs' && [ ! -e build.ninja ]
ok 'two claims of 8 pairs are refused, with the place and the pairs needed'
spec 'until_ci = 0.02, max_pairs = 40' 9 >experiments/all.lua
ends 0 assay generate
ok 'with 9 pairs they are taken'

# ---- growing ----

stats() { # EXPERIMENT JQ-FILTER
	jq -r "$2" build/stats/"$1"-*.json
}
comparison='.metrics[0].items[0].comparisons[0]'
ends 0 ninja report && said 'precise-.*: stopped at 16 pairs: the interval is narrow enough' &&
	[ "$(stats precise .pairs.complete)" = 16 ] && [ "$(stats precise "$comparison.confidence")" = 0.96 ]
ok 'until_ci stops when it is precise enough, and reports at 96 %'
[ "$(stats precise '[.looks[] | "\(.pairs) \(.rule)"] | join(", ")')" = '16 until_ci=0.02 max_pairs=40' ]
ok 'its look is in the ledger, with its rule'
said 'looked-.*: stopped at 20 pairs: the interval of a planned look excludes no difference' &&
	[ "$(stats looked '[.looks[].pairs] | join(" ")')" = '10 20' ]
ok 'planned looks stop at a difference'
said 'budget-.*: the budget of 0.001 s is used up' && [ "$(stats budget .stop.how)" = budget ] &&
	[ "$(stats budget '[.warnings[].code] | index("budget") != null')" = true ]
ok 'a budget ends a case, and the report warns'
[ "$(stats precise .exploratory) $(stats looked .exploratory) $(stats budget .exploratory)" = 'false false false' ]
ok 'none of it is exploratory'
cp build/report/report.md "$out"
said 'at most 40 adjacent pairs, until the interval was as narrow as declared'
ok 'the methods say so'

before=$(tree results build/report)
ends 0 ninja report && ! said ': stopped at' && [ "$(tree results build/report)" = "$before" ]
ok 'a further run measures nothing'
rm -rf build && ends 0 assay generate && ends 0 ninja report && ! grep -q ': stopped at\|: block [0-9]' "$out"
ok 'nor does one without its build folder'
ends 0 assay status && [ "$(grep -c ': fresh' "$out")" -eq 4 ]
ok 'all are fresh'

spec 'until_ci = 0.00001, max_pairs = 20' 9 >experiments/all.lua
ends 0 ninja report && [ "$(stats precise .pairs.complete)" = 20 ] && [ "$(stats precise .exploratory)" = true ] &&
	grep -q ' 20 pairs, .*exploratory' build/report/summary.txt
ok 'a rule changed after the look goes on, and is exploratory'

# ---- exploring ----

case_id=$(jq -r '.experiments[] | select(.name == "claimed") | .cases[0].case_id' build/study.json)
before=$(tree results build)
ends 0 assay analyse "$case_id" --metric process_wall_us --stat mean --conf 0.99 &&
	said 'counts as no look'
ok 'another metric and statistic can be looked at'
ends 0 assay analyse "$case_id" --group-report --json && jq -e '.treatments | length == 2' "$out" >/dev/null
ok 'and the groups against each other'
[ "$(tree results build)" = "$before" ]
ok 'which writes nothing'
ends 3 assay analyse "$case_id" --tol 0.0001 && said FAIL
ok 'a check that fails is exit code 3'

# ---- planning ----

ends 0 assay power "$case_id" --effect 0.1% --json &&
	jq -e '.comparisons[0].pairs_needed >= 8 and .comparisons[0].pair_sd > 0' "$out" >/dev/null
ok 'pairs needed at the measured spread'
ends 0 assay power --cv 1% --effect 2% && said 'with 8 pairs'
ok 'pairs needed at a given spread'
ends 2 assay power && ends 4 assay power no-such-case
ok 'nonsense is told'

# ---- data measured elsewhere ----

printf 'a,b\n10,5\n11,5.2\n10.5,5.1\n10.2,5.3\n10.1,5.05\n10.7,5.15\n' >pairs.csv
ends 0 assay analyse --csv pairs.csv --a a --b b &&
	said 'crossover.*: refused: the run order or the pairing is unknown' && said 'signed rank.*: [12]\.'
ok 'without the order, what rests on it is refused with the reason'

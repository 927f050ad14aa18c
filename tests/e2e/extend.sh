#!/bin/sh
# More pairs than before: what was measured stays, what lacks is measured as a chunk of its own
# with its warm-ups and its share of the control, and the result is marked exploratory where
# going on was not declared beforehand.
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir study && cd study || exit 1
make_tick kernels/tick.c
mkdir experiments
cat >build.ninja.lua <<'END'
study { name = "extend" }
experiments "experiments/*"
END
# `late` declares with its extension what it should have declared before.
spec() { # PAIRS MORE-OF-LATE
	cat <<END
local tick = runner "tick" { "kernels/tick.c", harness = false }

local function ask(name, design)
    design.aa_pairs, design.warmups, design.timeout = 4, 2, 60
    experiment(name) {
        question = "Is quick faster?",
        variants = {
            variant "slow" { tick, args = { "800" } }, variant "quick" { tick, args = { "400" } },
        },
        design   = design,
        reader   = "protocol",
        correct  = { check = "equal" },
    }
end

ask("plain",    { pairs = $1 })
ask("declared", { pairs = $1, max_pairs = 20 })
ask("late",     { pairs = $1, $2 })
END
}
spec 10 '' >experiments/all.lua

names='plain declared late'
# A value of each experiment's case.
of_all() { # JQ-FILTER
	for name in $names; do
		jq -r "$1" build/stats/"$name"-*.json
	done | tr '\n' ' '
}
count() { # EXPERIMENT SESSION PHASE
	find results/"$1"-* -path "*/sessions/$2/*-$3-*.log" | wc -l
}

ends 0 assay generate && ends 0 ninja report && [ "$(logs)" -eq 96 ] && ! said exploratory &&
	[ "$(of_all .exploratory)" = 'false false false ' ]
ok 'three cases of 10 pairs, none exploratory'

find results -type f ! -name looks.csv ! -name seals.txt -exec sha256sum {} + >../before
spec 14 'max_pairs = 20' >experiments/all.lua
ends 0 assay status && [ "$(grep -c ': partial (14 of 20 blocks)$' "$out")" -eq 3 ]
ok '14 pairs are wanted: 6 blocks lack'
plain=$(jq -r '.experiments[] | select(.name == "plain") | .cases[0].case_id' build/study.json)
chunks() { # how many chunks the plan has, how many groups of them are left
	assay plan --json "$plain" | jq -r '"\([.groups[].chunk] | max) \(.left)"'
}
[ "$(chunks)" = '2 16' ]
ok 'the plan is a second chunk of 16 groups'

ends 0 ninja report && sha256sum --check --quiet ../before >>"$out" 2>&1
ok 'what was there is the same bytes'
for name in $names; do
	[ "$(logs "$name-*")" -eq 48 ] &&
		[ "$(count "$name" 001 warmup) $(count "$name" 001 aa) $(count "$name" 001 ab)" = '4 8 20' ] &&
		[ "$(count "$name" 002 warmup) $(count "$name" 002 aa) $(count "$name" 002 ab)" = '4 4 8' ]
	ok "$name: the second session has 4 warm-up, 4 A/A and 8 A/B groups"
done
[ "$(of_all '.pairs.valid')" = '14 14 14 ' ] &&
	[ "$(of_all '.metrics[0].items[0].comparisons[0].pairs')" = '14 14 14 ' ] &&
	[ "$(of_all '.metrics[0].items[0].aa.pairs')" = '6 6 6 ' ]
ok 'all 14 pairs count'
pairs_of() { # SESSION: the numbers of its pairs, sorted
	sed -n 's/^pair=//p' results/"$plain"/*/sessions/"$1"/*-ab-*.log | sort -n | uniq -c |
		awk '{ print $1 "x" $2 }' | tr '\n' ' '
}
[ "$(pairs_of 002)" = '2x11 2x12 2x13 2x14 ' ]
ok 'the new pairs go on counting'

[ "$(of_all .exploratory)" = 'true false true ' ] &&
	[ "$(jq -r --arg id "$plain" '.cases[$id].exploratory' build/stats.json)" = true ] &&
	[ -n "$(jq -r .exploratory_reason build/stats/plain-*.json)" ]
ok 'exploratory, but for the case that declared max_pairs beforehand'
after() { # EXPERIMENT: the line after its question on the terminal
	grep -A 1 "^$1: " "$out" | tail -n 1
}
ends 0 ninja report
cp build/report/summary.txt "$out"
for name in plain late; do
	case $(after $name) in
	*', 14 pairs, '*' [exploratory]') true ;;
	*) false ;;
	esac
	ok "$name: said on the terminal"
done
case $(after declared) in
*exploratory*) false ;;
*', 14 pairs, '*) true ;;
*) false ;;
esac
ok 'declared: not said'
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	{ print $column["experiment"], $column["pairs"], $column["exploratory"] }
' build/report/summary.csv | sort | tr '\n' ' ' >"$out"
[ "$(cat "$out")" = 'declared 14 0 late 14 1 plain 14 1 ' ]
ok 'in summary.csv'
# The sections of the report.
section() { # EXPERIMENT
	awk -v name="## Numbers of $1" '/^## / { inside = $0 == name } inside' build/report/report.md
}
cp build/report/report.md "$out"
section plain | grep -q -i exploratory && section late | grep -q -i exploratory &&
	! section declared | grep -q -i exploratory && grep -q -i exploratory build/report/report.html
ok 'in the report'
ends 0 assay status && [ "$(grep -c ': exploratory (' "$out")" -eq 2 ] && said '^declared-.*: fresh (20 blocks)$'
ok 'and by assay status'

before=$(tree results build/report)
ends 0 ninja report && ! grep -q ': block [0-9]' "$out" && [ "$(tree results build/report)" = "$before" ]
ok 'a further run measures nothing'

mv results ../results && [ "$(chunks)" = '1 40' ] && mv ../results results
ok 'without the first records 14 pairs would be one chunk'

#!/bin/sh
# From specs to a report, and once more: how many groups of which kind run, in the order that
# `assay plan` told before, what the report holds, and that a second run only looks.
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir study && cd study || exit 1
make_tick kernels/tick.c
cp "$ASSAY_ROOT/kernels/vector_lab.c" kernels/
mkdir experiments
cat >build.ninja.lua <<'END'
study { name = "flow", title = "From specs to a report" }
experiments "experiments/*"
END
cat >experiments/article.md <<'END'
# The article's plan

```lua
local tick = runner "tick" { "kernels/tick.c", harness = false }

experiment "article" {
    question = "Is quick faster than slow?",
    variants = {
        variant "slow"  { tick, args = { "{slow}" } },
        variant "quick" { tick, args = { "{quick}" } },
    },
    sweep   = { n = { 1000, 3000 } },
    derive  = { slow = function(p) return p.n * 2 end, quick = function(p) return p.n end },
    design  = { pairs = 10, aa_pairs = 4, warmups = 2, timeout = 60 },
    reader  = "protocol",
    correct = { check = "equal" },
    claims  = { faster("quick", "slow", { by = 1.5 }) },
    figures = { figure "speedup" {}, figure "runs" {} },
}
```

The sentence: {{ at{ n = 1000 }:compare("quick").sentence }}.

![The speedup](figure:speedup)
END
cat >experiments/real.lua <<'END'
-- A kernel with the harness, timed for real: its verdict is anybody's guess here.
local lab = runner "vector_lab" { "kernels/vector_lab.c" }

experiment "real" {
    variants = {
        variant "two_loops" { lab, args = { "--kernel=two_loops", "--n=1000" } },
        variant "fused"     { lab, args = { "--kernel=fused", "--n=1000" } },
    },
    design  = { pairs = 4, aa_pairs = 1, warmups = 1, samples = 3, timeout = 60 },
    correct = { check = "equal" },
}
END

cases() { # EXPERIMENT
	jq -r --arg name "$1" '.experiments[] | select(.name == $name) | .cases[].case_id' \
		build/study.json
}

plan_of() { # CASE
	assay plan --json "$1" |
		jq -r '.groups[] | "\(.order) \(.phase) \(.block) \(.pair) \(.slot) \(.treatment)"'
}

# The same columns, from the logs in the order that they started in.
launches_of() { # CASE
	awk -F= '
		FNR == 1 { header = 1 }
		/^stdout_bytes=/ {
			print field["started_ns"], field["order"], field["phase"], field["block"],
				field["pair"], field["slot"], field["treatment"]
			header = 0
		}
		header { field[$1] = $2 }
	' results/"$1"/*/sessions/*/*.log | sort -n | cut -d ' ' -f 2-
}

count() { # CASE PHASE
	launches_of "$1" | grep -c " $2 "
}

for_each_case() { # EXPERIMENT COMMAND…
	experiment=$1
	shift
	for case in $(cases "$experiment"); do
		"$@" "$case" || return 1
	done
}

# ---- the first time ----

ends 0 assay generate && [ "$(cases article | wc -l)" -eq 2 ] && ! [ -e results ]
ok 'the graph is written, and nothing measured'

mkdir ../plans
keep_plan() {
	plan_of "$1" >"../plans/$1" && [ "$(wc -l <"../plans/$1")" -eq 32 ]
}
for_each_case article keep_plan
ok 'the plan of 32 groups is told before anything runs'

ends 0 ninja report && said '^report: build/report/report.html$'
ok 'the study is measured, and told where the report is'

said '^  quick is [12]\.[0-9]* times as fast as slow \[.*\] at n=1000 (noise floor .* %, 10 pairs, one build)$' &&
	said '^  quick is .* at n=3000 (' && said '^  .*two_loops' &&
	[ "$(grep -c '^  ' "$out")" -eq 3 ]
ok 'a line a comparison'
said '^claim C1 supported: quick '
ok 'a line a claim'

article_counts() {
	[ "$(count "$1" warmup) $(count "$1" aa) $(count "$1" ab)" = '4 8 20' ] &&
		[ "$(logs "$1")" -eq 32 ]
}
for_each_case article article_counts
ok "the article's plan: 4 warm-up, 8 A/A and 20 A/B groups a case"
[ "$(logs 'real-*')" -eq 12 ]
ok 'a runner with the harness: 2, 2 and 8'

as_planned() {
	launches_of "$1" >../launches
	diff "../plans/$1" ../launches >"$out" && plan_of "$1" | diff - ../launches >"$out"
}
for_each_case article as_planned && for_each_case real launches_of >/dev/null
ok 'the plan told the order that the logs started in, and still does'

half_and_half() {
	[ "$(launches_of "$1" | awk '$2 == "ab" && $5 == 1 && $6 == 0' | wc -l)" -eq 5 ] &&
		[ "$(launches_of "$1" | awk '$2 == "aa" && $5 == 1 && $6 == 0' | wc -l)" -eq 2 ]
}
for_each_case article half_and_half
ok 'half of the pairs are AB, half BA, and of the A/A pairs too'

# ---- what the report holds ----

ls -l build/report >"$out"
[ "$(grep -o '<svg' build/report/report.html | wc -l)" -eq 2 ] &&
	! grep -q -e '<img' -e '<script' -e 'src="http' build/report/report.html
ok 'report.html holds its figures, and needs no other file'
for kind in svg pdf png csv gnuplot; do
	[ -s build/report/figures/article-speedup.$kind ] && [ -s build/report/figures/article-runs.$kind ]
	ok "figures as $kind"
done

# A value of a comparison's row in summary.csv.
summary() { # POINT COLUMN
	awk -F, -v point="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["experiment"] == "article" && $column["point"] == point &&
			$column["metric"] == "wall_us" { print $column[name] }
	' build/report/summary.csv
}

# As many digits as results.tex gives it, which are as many as the interval deserves.
rounded() { # POINT COLUMN
	digits=$(sed -n "s|.*{article/$1/quick/speedup}{[0-9]*\.\([0-9]*\)}.*|\1|p" \
		build/report/results.tex)
	printf "%.${#digits}f" "$(summary "$1" "$2")"
}

same_speedup() { # CASE
	point=$(jq -r --arg id "$1" '.cases[$id].point_text' build/stats.json)
	exact=$(summary "$point" speedup)
	short=$(rounded "$point" speedup)
	interval="[$(rounded "$point" speedup_lo), $(rounded "$point" speedup_hi)]"
	{
		echo "$point: $exact in summary.csv, so $short $interval"
		grep -F "article/$point/quick/speedup" build/report/results.tex
		grep -F "$point" build/report/report.md build/report/summary.txt
	} >"$out" 2>&1
	jq -e --arg id "$1" --argjson exact "$exact" \
		'.cases[$id].metrics[0].items[0].comparisons[0].speedup == $exact' \
		build/stats.json >/dev/null &&
		grep -q -F "\\assaydefine{article/$point/quick/speedup}{$short}" build/report/results.tex &&
		grep -q -F "| $point | wall\\_us (compute) | quick against slow | $short $interval |" \
			build/report/report.md &&
		grep -q -F "quick is $short times as fast as slow $interval at $point " \
			build/report/summary.txt
}
for_each_case article same_speedup
ok 'stats.json, summary.csv, results.tex, report.md and the terminal agree on the speedup'
grep -q "^The sentence: quick is $(rounded n=1000 speedup) times as fast as slow" \
	build/report/report.md
ok 'so does the sentence in the prose'

# ---- the second time ----

before=$(tree results build/report build/stats.json build/samples)
ends 0 ninja report && said '^\[.*\] check article$' && said '^\[.*\] check real$' &&
	[ "$(grep -c '^\[' "$out")" -eq 2 ]
ok 'a second time only checks'
[ "$(tree results build/report build/stats.json build/samples)" = "$before" ]
ok 'and changes no file of the results and of the report'

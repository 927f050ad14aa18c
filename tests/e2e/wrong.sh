#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs that compute a wrong result, or misbehave in another way: no number of theirs is
# printed, the reason is, all else goes on, and the gate fails with the list.
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"
. "$ASSAY_ROOT/tests/e2e/lib/probe.sh"

here=$PWD

exit_code_is() { # CODE
	[ "$(cat build/report/exit_code)" = "$1" ]
}

# ---- a wrong result ----

# At n=1 the results agree and the ratio is 1.25; at n=2 they do not, and it would be the root of 3.
make_probe_study sums sums </dev/null
rm sums/experiments/e.lua
cat >sums/experiments/sums.md <<'END_OF_FILE'
# Sums

```lua
local probe = runner "probe" { "probe.c", harness = false }
experiment "sums" {
    variants = {
        variant "right" { probe, args = { "--wall=300", "--check=1" } },
        variant "wrong" { probe, args = { "--wall={wall}", "--check={n}" } },
    },
    sweep   = { n = { 1, 2 } },
    derive  = { wall = function(p) return p.n == 1 and "240" or "173.20508075688772" end },
    design  = { pairs = 8, aa_pairs = 1, warmups = 1, timeout = 60 },
    reader  = "protocol",
    correct = { check = "equal" },
    claims  = { faster("wrong", "right", { where = { n = 2 } }) },
    figures = { figure "runs" {}, figure "speedup" {} },
}
```

At one {{ at{ n = 1 }:compare("wrong").speedup }} times, at two {{ at{ n = 2 }:compare("wrong").speedup }} times,
or {{ at{ n = 2 }:compare("wrong").ratio_of_medians }}: {{ at{ n = 2 }:compare("wrong").sentence }}.
END_OF_FILE
cd sums || exit 1

# The ratio, its inverse, its logarithm, in numbers or per cent.
no_ratio_anywhere() {
	! grep -rE '(^|[^0-9.])(1\.73[0-9]*|0\.57[0-9]*|-?0\.549[0-9]*|73\.?[0-9]* ?%)' \
		build/report/report.md build/report/results.tex build/report/summary.* \
		build/report/figures/*-speedup.csv build/stats build/stats.json >>"$out"
}

ends 0 assay generate && ends 1 ninja report && exit_code_is 3 && ends 3 assay report --gate
ok 'outputs that disagree: exit code 3'
no_ratio_anywhere
ok 'the ratio of the wrong program is printed nowhere'
jq -e '[.cases[] | select(.point.n == 2)] | length == 1 and
	(.[0] | .invalid and .correct.status == "disagree") and
	([.[0].metrics[].items[].comparisons[]] | length == 1 and
		all(.[]; .speedup == null and .speedup_lo == null and .ratio_of_medians == null and
		.median_paired_speedup == null and .p == null and .verdict == "invalid" and
		.points == [] and (.reason | test("CHECK of right is 1, of wrong is 2"))))' \
	build/stats.json >"$out"
ok 'nor in the statistics, which say invalid and why'
grep '^sums,[^,]*,n=2,' build/report/summary.csv >"$out" &&
	said ',right,wrong,,,,,,,,,,,,,,,0,0,0,invalid,"\{0,1\}outputs disagree'
ok 'nor in summary.csv'
for file in report.md report.html; do
	grep 'At one 1\.25 times, at two unavailable times' "build/report/$file" >"$out" &&
		grep 'outputs disagree: CHECK of right is 1, of wrong is 2' "build/report/$file" >"$out"
	ok "nor in $file, which says why"
done
[ "$(grep -c 'sums/n=2/wrong/[a-z-]*}{unavailable}' build/report/results.tex)" -ge 8 ] &&
	grep -q 'sums/n=2/wrong/speedup}{unavailable}' build/report/results.tex
ok 'nor in results.tex'
grep '^0,.*,2,' build/report/figures/sums-speedup.csv >"$out" && said ',2,,,,,,invalid'
ok 'nor in the data of the figure'
ends 3 assay report --gate && said 'does not hold: sums-n-2.*outputs disagree' &&
	said 'does not hold: claim C1 is invalid' && said 'wrong is 1.25 times as fast as right'
ok 'the gate lists it, and shows the case that is right'
cd .. || exit 1

# ---- programs that misbehave ----

make_probe_study bad bad <<'END_OF_FILE'
local nothing = program "nothing" { "./nothing" }

local function misbehaving(name, list, design)
    design.pairs, design.aa_pairs, design.warmups = 1, 0, 1
    experiment(name, {
        variants = {
            variant "good" { probe, args = { journal } },
            variant "bad"  { probe, args = { "--do={what}", journal } },
        },
        sweep   = { what = list },
        design  = design,
        reader  = "protocol",
        correct = { check = "equal" },
    })
end
misbehaving("bad", {
    "crashes", "is-killed", "half-a-line", "closes-stdout", "nan", "negative", "garbage",
    "garbage-and-result", "lies-about-exit", "talks-of-exit", "exits-77", "leaves-grandchild", "removes-itself", "floods",
}, { timeout = 60 })
misbehaving("slow", { "hangs" }, { timeout = 1 })
misbehaving("much", { "two-million-results" }, { timeout = 60, output_limit = 2^26 })
experiment "unstartable" {
    variants = { variant "good" { probe, args = { journal } }, variant "bad" { nothing } },
    design   = { pairs = 1, aa_pairs = 0, warmups = 1, timeout = 60 },
    reader   = "protocol",
}
END_OF_FILE
echo 'no program' >bad/nothing
chmod +x bad/nothing

# All groups of `bad` have that fate and reason, all others are as they should be.
fate() { # CASE-PATTERN FAILED-OR-INVALID REASON
	jq -e --arg status "$2" --arg reason "$3" '.groups.failed == 2 and .groups.complete == 4 and
		(.failures | length == 2 and all(.[]; .name == "bad" and .status == $status and
		(.reason | test($reason)))) and
		.pairs.valid == 0 and all(.metrics[].items[].comparisons[]; .speedup == null)' \
		build/stats/"$1"-??????????.json >>"$out" && said "does not hold: $1-[0-9a-f]*: 2 of 4 groups failed.*$3"
}

# No group fails; the reason is a remark, or nothing.
harmless() { # CASE-PATTERN REMARK
	jq -e '.groups.failed == 0 and .groups.complete == 4 and .pairs.valid == 1' \
		build/stats/"$1"-??????????.json >>"$out" &&
		[ "$(cat results/"$1"-??????????/*/sessions/*/*-1.log | grep -a -c "^reason=$2\$")" -eq 2 ]
}

# 1 GiB of output, two million results: the session and the analysis need not hold them.
bounded() (
	# shellcheck disable=SC3045 # dash and bash know it
	ulimit -v 400000
	exec "$@"
)

cd bad || exit 1
ends 0 assay generate && ends 0 ninja build/runners && ends 1 bounded ninja -k 0 report &&
	exit_code_is 5 && [ "$(logs)" -eq $((17 * 4)) ] && [ -s build/report/report.html ]
ok 'all groups of all cases run in bounded memory, the report is made, the gate fails'
report_says() {
	cp build/report/summary.txt "$out"
	"$@"
}
report_says fate bad-what-crashes failed 'ended by signal 11'
ok 'a crash'
report_says fate bad-what-is-killed failed 'ended by signal 9'
ok 'killed, as when memory runs out'
report_says fate slow-what-hangs failed 'no end within the timeout of 1 s'
ok 'a hang'
report_says fate bad-what-half-a-line invalid 'line'
ok 'half a line'
report_says fate bad-what-closes-stdout invalid 'no result'
ok 'a closed stdout'
report_says fate bad-what-nan invalid 'nan'
ok 'a NaN'
report_says fate bad-what-negative invalid '-3'
ok 'a negative time'
report_says fate bad-what-garbage invalid 'no result'
ok 'binary garbage'
report_says fate bad-what-lies-about-exit failed 'exited with 1'
ok 'exit_code=0 printed, and 1 meant'
report_says fate bad-what-exits-77 failed 'exited with 77'
ok 'exit code 77'
report_says fate bad-what-floods failed 'output limit of 16777216 bytes'
ok '1 GiB of output'
report_says fate much-what-two-million-results invalid '1000000' && [ "$(cat build/samples/much-*.csv | wc -l)" -eq 5 ]
ok 'two million results'
report_says fate unstartable failed 'could not be started: Exec format error'
ok 'a file that is no program'
report_says harmless bad-what-garbage-and-result ''
ok 'garbage before a result is harmless'
report_says harmless bad-what-talks-of-exit ''
ok 'so is talk of an exit code'
report_says harmless bad-what-leaves-grandchild 'left 1 process behind, which was ended'
ok 'a process left behind is ended, and it is said'
jq -e '.groups.failed == 1 and (.failures | all(.[]; .reason | test("could not be started")))' \
	build/stats/bad-what-removes-itself-*.json >"$out"
ok 'a program that is gone at launch'
running_from "$here" >"$out"
[ ! -s "$out" ] && ! grep ' 0$' "$journal" >"$out"
ok 'nothing runs on, and nothing ran beside another group'
cd .. || exit 1

# ---- all groups fail ----

make_probe_study hopeless hopeless <<'END_OF_FILE'
local function one(name) return variant(name, { probe, args = { "--do=crashes", "--as=" .. name } }) end
experiment "hopeless" {
    variants = { one "a", one "b" },
    design   = { pairs = 20, aa_pairs = 1, warmups = 1, timeout = 60, max_failures = 3 },
    reader   = "protocol",
}
END_OF_FILE
cd hopeless || exit 1
ends 0 assay generate && ends 1 ninja report && exit_code_is 5 && said 'ended early after 3 failures' &&
	said 'does not hold: hopeless-.*no pair was measured' && [ "$(logs)" -eq 3 ] &&
	jq -e '.how == "max_failures"' results/*/*/sessions/001/end.json >>"$out"
ok 'a case all of whose groups fail ends early, and the exit code is 5'
ends 1 ninja report && exit_code_is 5 && [ "$(logs)" -eq 3 ]
ok 'it is not tried again by itself'
cd .. || exit 1

# ---- one group fails ----

make_probe_study once once <<'END_OF_FILE'
experiment "once" {
    variants = {
        variant "good" { probe },
        variant "bad"  { probe, args = { "--do=crashes", "--once=fail" } },
    },
    design   = { pairs = 3, aa_pairs = 0, warmups = 0, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
}
END_OF_FILE
cd once || exit 1
: >fail
ends 0 assay generate && ends 1 ninja report && exit_code_is 1 && said '1 of 6 groups failed' &&
	jq -e '.pairs.valid == 2 and .groups.failed == 1' build/stats/*.json >>"$out"
ok 'one failed group costs its pair, and the exit code is 1'
case_id=$(ls results)
ends 0 assay retry "$case_id" && ends 0 ninja report && exit_code_is 0 && [ "$(logs)" -eq 8 ] &&
	jq -e '.pairs.valid == 3' build/stats/*.json >>"$out"
ok "'assay retry' runs its block again, and the first try stays in the store"

# ---- the program is gone ----

rm -r results build/runners/probe
ends 1 assay measure "$case_id" && said 'build/runners/probe: No such file' &&
	[ -z "$(find results -name plan.json)" ]
ok 'a program that is gone when a session starts: no group, no session'
ends 0 ninja report && [ "$(logs)" -eq 6 ]
ok "'ninja report' links and measures it again"

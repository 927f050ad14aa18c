#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The group report: text, CSV and a recomputation from the raw logs are the same to the last digit;
# a form of an experiment has a report of its own; choosing from stored data; the smoke test.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir -p study/experiments && cd study || exit 1
# A program whose times are made up: a spike in most groups, CPU time a little below, and what
# three of its variants do.
cat >tick.c <<'END_OF_FILE'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
	int us = atoi(argv[1]), n = atoi(argv[2]), iters = atoi(argv[3]);
	int samples = argc > 4 ? atoi(argv[4] + strlen("--samples=")) : 7;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	srand((unsigned)now.tv_nsec);
	printf("CFG %d %d\n", n, iters);
	for (int i = 0; i < samples; i++) {
		/* more digits than a clock has, so that no mean ends in a 5 that rounds either way */
		double noise = rand() % 1000003 + rand() / (RAND_MAX + 1.0);
		double wall = us * (1 + noise / 1e8) * (rand() % 12 == 0 ? 1.4 : 1);

		printf("RESULT %.9f %.9f %.17g\n", wall, wall * 0.97, 2.0 * n * iters / wall * 1e6);
	}
	printf("CHECK %d\n", n);
	return 0;
}
END_OF_FILE
cat >build.ninja.lua <<'END_OF_FILE'
study { name = "tried" }
experiments "experiments/*"
END_OF_FILE
cat >experiments/e.lua <<'END_OF_FILE'
local tick = runner "tick" { "tick.c", harness = false }

local function one(name, us)
    return variant(name) { tick, args = { us, "{n}", "{iters}" },
                           cfg = { len = "{n}", iters = "{iters}", flops = 2 } }
end

experiment "e" {
    variants = { one("slow", 300), one("fast", 200), one("other", 200) },
    compare  = { { "fast", "slow" } },
    sweep    = { n = { 8, 16 } },
    derive   = { iters = function(p) return 2^10 // p.n end },
    design   = { blocks = 5, aa_pairs = 0, warmups = 0, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
    group_report = {},
    forms    = { full = { about = "one block; a second", sweep = { n = { 32 } }, claims = {},
                          design = { blocks = 1, aa_pairs = 0, warmups = 0 },
                          figures = { figure "bars" { of = "rate", peak = "e/fast" } } } },
}
END_OF_FILE

ends 0 assay generate && ends 0 ninja report && said 'groups at n=8: ' && [ "$(logs)" -eq 30 ] &&
	[ ! -e results/e-full* ]
ok 'the report has the groups, and no form was measured' || exit 1

# Rows "case variant group sample wall cpu trimmed" of the raw logs. The trim in whole nanoseconds.
cat >raw.awk <<'END_OF_FILE'
FNR == 1 { on = 0; n = 0; split(FILENAME, part, "/") }
/^order=/ && !on { order = substr($0, 7) + 0 }
/^treatment=/ && !on { treatment = substr($0, 11) + 0 }
/^--- stdout/ { on = 1 }
on && /^RESULT/ { wall[++n] = $2; cpu[n] = $3 }
/^complete=1/ {
	for (i = 1; i <= n; i++) sorted[i] = int(wall[i] * 1000 + 0.5)
	for (i = 2; i <= n; i++)
		for (k = i; k > 1 && sorted[k] < sorted[k - 1]; k--) {
			swap = sorted[k]; sorted[k] = sorted[k - 1]; sorted[k - 1] = swap
		}
	middle = sorted[int((n + 1) / 2)] + sorted[int(n / 2) + 1]
	for (i = 1; i <= n; i++)
		printf "%s %d %05d %d %s %s %d\n", part[2], treatment, order, i, wall[i], cpu[i],
			(2000 * int(wall[i] * 1000 + 0.5) > 1200 * middle)
}
END_OF_FILE
# The launch order becomes the group's number.
for n in 8 16; do
	awk -f raw.awk results/e-n-$n-*/*/sessions/001/*-ab-*.log | sort -k2,2n -k3,3n -k4,4n
done | awk 'BEGIN { split("slow fast other", name) }
	$1 != c || $2 != t { g = 0 }
	$3 != o || $1 != c || $2 != t { g++ }
	{ c = $1; t = $2; o = $3; print $1, name[t + 1], g, $4, $5, $6, $7 }' >raw.rows
csv=build/report/groups/e.csv
head -n 1 $csv | grep -qx 'case,variant,n,len,iters,group,sample,wall_us,cpu_us,flops,check,trimmed' &&
	awk -F, 'NR > 1 && $3 == $4 && $4 * $5 == 1024 { printf "%s %s %d %d %.9f %.9f %d\n", $1, $2, $6, $7, $8, $9, $12 }' $csv >csv.rows && [ "$(wc -l <csv.rows)" -eq 210 ] &&
	cmp csv.rows raw.rows >"$out" 2>&1 && grep -q ' 1$' raw.rows
ok 'the CSV has the samples of the raw logs, and the same are trimmed'

# What the text says of these rows.
cat >text.awk <<'END_OF_FILE'
function tell(from, to,    i) {
	n = 0; sum = logs = squares = wall = cpu = deviation = 0
	for (i = from; i <= to; i++) if (!cut[i]) x[++n] = v[i]
	for (i = from; i <= to; i++) if (!cut[i]) { sum += v[i]; logs += log(v[i]); wall += v[i]; cpu += c[i] }
	mean = sum / n
	for (i = 1; i <= n; i++) {
		squares += (x[i] - mean) ^ 2
		if ((x[i] - mean) ^ 2 > deviation ^ 2) deviation = x[i] > mean ? x[i] - mean : mean - x[i]
		for (k = i; k > 1 && x[k] < x[k - 1]; k--) { swap = x[k]; x[k] = x[k - 1]; x[k - 1] = swap }
	}
	median = (x[int((n + 1) / 2)] + x[int(n / 2) + 1]) / 2
	geomean = exp(logs / n); sd = sqrt(squares / (n - 1)); share = cpu / wall
}
function finish(    g, bad) {
	if (count == 0) return
	start[groups + 1] = count + 1
	tell(start[2], count)
	all = mean
	overall = sprintf("  overall, groups 2 to %d: %d samples, mean %.6g, median %.6g, geomean %.6g, sd %.6g, largest deviation %.6g, CPU/wall %.4f", groups, n, mean, median, geomean, sd, deviation, share)
	print variant ", wall_us:"
	for (g = 1; g <= groups; g++) {
		tell(start[g], start[g + 1] - 1)
		from_all = g > 1 ? sprintf("%+9.2f %%", 100 * (mean / all - 1)) : "          -"
		from_before = g > 2 ? sprintf("%+9.2f %%", 100 * (mean - before) / all) : "          -"
		before = mean
		printf "  %5d %3d %4d %11.6g %11.6g %11.6g %11.6g %11.6g%9.4f%s%s\n", g, start[g + 1] - start[g], n, mean, median, geomean, x[n] - x[1], sd, share, from_all, from_before
	}
	print overall
}
$1 " " $2 != name { finish(); count = groups = 0; name = $1 " " $2; variant = $2; last = 0 }
$3 != last { start[++groups] = count + 1; last = $3 }
{ v[++count] = $5; c[count] = $6; cut[count] = $7 }
END { finish() }
END_OF_FILE
# The text without the block's number, which is no number of the report, and its marks.
grep -e '^  *[0-9][0-9]* ' -e '^  overall' -e ', wall_us:$' build/report/groups/e.txt |
	sed -e 's/  <--$//' -e 's/^\(  .....\) ...../\1/' >said
awk -f text.awk csv.rows >of_csv && awk -f text.awk raw.rows >of_raw && [ "$(wc -l <said)" -eq 42 ] &&
	diff said of_csv >"$out" 2>&1 && diff said of_raw >"$out" 2>&1
ok 'the text is what the CSV and the raw logs come to, to the last digit'

grep -c 'flops: PASS: 2 an element, CFG' build/report/groups/e.txt >"$out"
grep -qx 6 "$out" && grep -q '5 blocks describe and give no verdict' build/report/groups/e.txt &&
	grep -q 'fast against slow: 1\.[3-6]' build/report/groups/e.txt &&
	grep -q '<h3>Groups at n=8</h3>' build/report/report.html
ok 'the work is checked, ratios are given, no verdict is'
grep -q 'href="e.html"' build/report/report.html && grep -q 'href="report.html"' build/report/e.html &&
	grep -q 'Groups at n=16' build/report/e.html && grep -q 'Where these numbers come from' build/report/e.html
ok 'the experiment has a page of its own'

# ---- a form ----
ends 0 assay plan e-full && said 'e-full - one block; a second: 3 groups in 1 case, 3 of them still'
ok 'a form tells its time beforehand'
before=$(contents build/report results)
ends 0 ninja e-full && said '3 of them still to be measured' && [ "$(logs 'e-full*')" -eq 3 ] &&
	said 'groups at n=32: too few to be checked' && [ -s build/form/e-full/report/report.html ] &&
	grep -q 'overall: no group beside the first' build/form/e-full/report/groups/e-full.txt
ok 'a form is measured by its target and has a report of its own'
grep -q '^peak_0_0 = [1-9]' build/form/e-full/report/figures/e-full-bars.gnuplot &&
	ninja -t query build/form/e-full/report/figures/e-full-bars.svg | grep -q 'build/stats/e-n-8'
ok 'its figure finds a peak of the whole study, which was made first'
ends 0 ninja e-full && ! grep -q 'still to be measured' "$out" && [ "$(logs 'e-full*')" -eq 3 ] &&
	ends 0 ninja report && mv results/e-full* . && [ "$(contents build/report results)" = "$before" ]
ok 'it is measured once, and the report knows nothing of it'
mv e-full* results/

# ---- choosing from stored data ----
before=$(tree build results)
ends 0 assay analyse e --group-report --tol 60 --only fast,other --sizes 16 --metric cpu_us --stat median && said '^fast, cpu_us:' &&
	said '^other, cpu_us:' && ! grep -q -e '^slow' -e 'n-8' "$out"
ok 'variants and sizes are chosen'
ends 0 assay analyse e --only fast,other --where n=8 && said 'other against fast' && ! grep -q '^  slow' "$out"
ok 'without a comparison among them each is held against the first'
ends 4 assay analyse e --only quick && said "no variant 'quick'; there are: slow, fast, other" &&
	ends 4 assay analyse e --sizes 9 && said "no n '9'; there are: 8, 16" &&
	ends 4 assay analyse e --where m=9 && said "no dimension 'm'" && ends 4 assay analyse f &&
	[ "$(tree build results)" = "$before" ]
ok 'what is not there is an error, and nothing was written'

# ---- the smoke test ----
store=$(contents results build/stats build/identity build/session)
ends 0 assay measure --short e --only slow,other --where n=16 && said 'smoke test, 2 blocks of 2 groups, no result' &&
	said 'other: 2 of 2 groups ran well' && said 'outputs: agree' && ! grep -q -e fast -e 'e-n-8' "$out" &&
	[ "$(contents results build/stats build/identity build/session)" = "$store" ]
ok 'a smoke test runs what was chosen and is no result'
ends 0 assay status --no-build && said 'e-n-8' && ends 0 ninja report && [ "$(logs)" -eq 33 ]
ok 'nothing is fresh or stale by it'
sed -i 's/RESULT/RESULTS/' tick.c
ends 0 ninja build/runners && ends 1 assay measure --short e --sizes 8 && said 'slow: 0 of 2 groups ran well; no result in the output' &&
	ends 2 assay measure --only slow e && ends 2 assay measure --short e --again
ok 'what does not run is told'

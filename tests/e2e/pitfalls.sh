#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What makes a measurement say something else is told: in the report, and in a text that asks. The times are made up.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir -p experiments
cat >tick.c <<'END_OF_FILE'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* tick SHAPE N */
int main(int argc, char **argv)
{
	const char *shape = argc > 2 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 1;

	printf("CFG %d 100\n", n);
	for (int i = 0; i < 8; i++) {
		struct timespec now;
		double us = strcmp(shape, "deleted") == 0 ? 0.16 : n;

		clock_gettime(CLOCK_MONOTONIC, &now);
		us *= (1 + (double)(now.tv_nsec % 1000) / 200000) * (strcmp(shape, "cold") == 0 && i < 3 ? 3 : 1);
		printf("RESULT %.6f %.6f 0\n", us, us * (strcmp(shape, "threads") == 0 ? 2 : 1));
	}
	puts("CHECK 1");
	return 0;
}
END_OF_FILE
cat >guarded.c <<'END_OF_FILE'
double guarded(const double *x, int n)
{
	volatile double sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i];
	return sum;
}
END_OF_FILE
cat >build.ninja.lua <<'END_OF_FILE'
study { name = "tried" }
experiments "experiments/*"
END_OF_FILE
cat >experiments/pitfalls.md <<'END_OF_FILE'
# Pitfalls

```lua
local tick = runner "tick" { "tick.c", harness = false, cflags = { "-O2", "-g" } }
local debug = runner "debug" { "tick.c", "guarded.c", harness = false, cflags = { "-O0", "-g" } }
local function one(name, program) return variant(name) { program, args = { name, "{n}" } } end

experiment "pitfalls" {
    variants = { one("warm", tick), one("cold", debug), one("threads", tick), one("deleted", tick) },
    sweep    = { n = { 1000, 50000 } },
    metrics  = { "wall_us", "cpu_us" },
    reader   = "protocol",
    design   = { pairs = 5, aa_pairs = 0, warmups = 0, timeout = 60 },
}
```

Warm-up: {{ at{ n = 1000 }:warning("unequal_warmup").text }}!

By CPU time {{ fixed(at{ n = 1000 }:metric("cpu_us"):compare("threads", "warm").ratio_of_medians, 1) }} times as fast.

Drift: {{ at{ n = 1000 }:warning("budget").told }}, {{ at{ n = 1000 }:warning("budget").text }}.
END_OF_FILE

ends 0 assay generate && ends 0 ninja report
ok 'warnings are no failure' || exit 1

codes=$(sed -n 's/^.*"code": "\([a-z_]*\)".*$/\1/p' build/stats.json | sort -u)
for code in unequal_warmup cpu_clock short_samples impossible_rate work_without_time unoptimised_build volatile_loop; do
	echo "$codes" >"$out"
	said "^$code\$"
	ok "it tells of $code"
done

cp build/report/report.md "$out"
said '^Warm-up: cold is still warming up while it is timed: its first samples take 3' &&
	said '^By CPU time 0.5 times as fast' && said '^Drift: false, unavailable'
ok 'a text shows a warning, the number of another metric, and that a warning was not given'

said 'a loop of guarded goes through volatile sum (guarded.c:6)' &&
	said 'compiled without optimisation (-O0): cold; warm with -O2' && said 'of them: by this clock more threads'
ok 'the report says what, where and beside what'

sed 's/warning("budget")/warning("bugdet")/' experiments/pitfalls.md >changed && mv changed experiments/pitfalls.md
ends 4 assay generate && said 'pitfalls.md:21: no warning is called "bugdet"; did you mean "budget"'
ok 'a warning that does not exist is refused where the text asks for it'

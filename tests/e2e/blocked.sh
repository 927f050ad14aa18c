#!/bin/sh
# Dimensions compared inside the block: each treatment gets its own arguments and CPUs, and every
# place where treatments are shown calls them by the variant and the values.
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir -p study/experiments && cd study || exit 1
# Times are made up: 2000 us, shared by the threads that there are, which count together.
cat >count.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static void *count(void *sum)
{
	for (int i = 0; i < 1000; i++)
		*(volatile long *)sum += i;
	return sum;
}

int main(int argc, char **argv)
{
	long sums[2] = {0, 0}, threads = argc > 1 ? atol(argv[1]) : 1;
	pthread_t ids[2];
	cpu_set_t set;

	for (long i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, count, &sums[i]);
	for (long i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	sched_getaffinity(0, sizeof set, &set);
	printf("AFFINITY ");
	for (int i = 0, said = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET((size_t)i, &set))
			printf("%s%d", said++ ? "," : "", i);
	putchar('\n');
	for (int i = 0; i < 3; i++)
		printf("RESULT %.6f 100 0\n", 2000.0 / (double)threads + i + atof(argv[2]));
	puts("CHECK 1");
	return 0;
}
END
cat >build.ninja.lua <<'END'
study { name = "blocked" }
experiments "experiments/*"
END
cat >experiments/e.md <<'END'
# Two threads

```lua
local count = runner "count" { "count.c", harness = false, libs = { "-pthread" } }

experiment "e" {
    variants = {
        variant "serial" { count, args = { "1", "0" }, at = { threads = 1 } },
        variant "shared" { count, args = { "{threads}", "{extra}" } },
    },
    sweep    = { threads = { 1, 2 }, extra = { 10 } },
    blocked  = { "threads" },
    cpus     = "{threads} cores",
    design   = { pairs = 8, aa_pairs = 1, warmups = 1, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal", among = { { "serial", "shared" } } },
    claims   = { faster(treatment("shared", { threads = 2 }), "serial", { by = 1.5 }) },
    figures  = { figure "bars" {}, figure "runs" {}, figure "scaling" {} },
    scaling  = { over = "threads", serial = "serial", working_set = "2000" },
}
```

Two take {{ fixed(at{ extra = 10 }.variants["shared threads=2"].median, 0) }} us,
{{ fixed(at():compare(treatment("shared", { threads = 2 })).speedup, 2) }} times as fast,
{{ fixed(at().scaling.shared.p2.own_speedup, 2) }} over itself, against {{ at().scaling.serial }}.
END

ends 0 assay generate && ends 0 assay plan e && said 'shared threads=2' &&
	jq -e '[.experiments[0].treatments[] | {variant, blocked}] == [
		{variant: "serial", blocked: {threads: 1}}, {variant: "shared", blocked: {threads: 1}},
		{variant: "shared", blocked: {threads: 2}}] and .experiments[0].cases[0].point == {extra: 10}' \
		build/study.json >/dev/null
ok 'the treatments are variants times values'

ends 0 ninja report
ok 'they are measured' || exit 1

cpus=$(sed -n 's/^cpus=//p' results/*/*/sessions/001/*-ab-2.log | sort -u)
one=$(sed -n 's/^cpus=//p' results/*/*/sessions/001/*-ab-1.log | sort -u)
case $(nproc) in
1) [ "$cpus" = "$one" ] && grep -q 'shared 1 core, 2 were asked for' build/report/report.md ;;
*) expr "$cpus" : "[0-9]*,$one\$" >/dev/null && ! grep -q 'had fewer cores' build/report/report.md ;;
esac
ok 'each has the CPUs that it asks for, or the report says that it has not'

jq -e '[.metrics[0].items[0].treatments[] | {name, variant, threads: .blocked.threads}] == [
	{name: "serial", variant: "serial", threads: 1},
	{name: "shared threads=1", variant: "shared", threads: 1},
	{name: "shared threads=2", variant: "shared", threads: 2}]' build/stats/e-*.json >"$out" &&
	grep -q '"pinning"\|^pinning' results/*/*/identity.txt
[ $? -eq 1 ] && grep -q '^treatment 2 pinning = 2 cores$' results/*/*/identity.txt
ok 'the case and its identity tell them apart'

ends 0 cat build/report/report.md && said 'Two take 1011 us,' && said '1\.9[89] times as fast' &&
	said 'shared threads=2 is at least 1.5 times as fast as serial' &&
	grep -q 'shared threads=2' build/figures/e-bars.dat build/figures/e-bars/*.dat build/report/figures/e-bars.svg 2>/dev/null
ok 'the report, the claim and the figure name them'

said '1\.99 over itself, against serial\.' && said 'Scaling of shared\*\* (strong) at extra=10, against the serial' &&
	said '| 2 | 1.011 ms | 1.98 .* | 99 ' && said 'as many points as parameters' &&
	grep -q '^0,0,2,1.9[78]' build/report/figures/e-scaling.csv
ok 'speedup, efficiency and laws are in the table, the text and the figure'

# More threads than any machine has cores: measured on those there are, and told.
sed -i 's/{threads} cores/4000 cores/' experiments/e.md
ends 0 ninja report && said '"serial" asks for 4000 cores' && ends 0 cat build/report/report.md &&
	said 'had fewer cores than threads' && said '4000 were asked for'
ok 'more threads than cores are told'

ends 0 assay analyse e --only 'serial,shared threads=2' && said 'shared threads=2' &&
	ends 4 assay analyse e --where threads=2 && said 'choose treatments with --only'
ok 'treatments are chosen by name'

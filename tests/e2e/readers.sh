#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs as they are: Google Benchmark binaries, whose benchmarks are items with verdicts of their
# own, and programs that print their values in their own words. The programs are stand-ins that print
# fixed numbers, so that every verdict is certain; and one real binary, where libbenchmark is there.

. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

# bench FACTOR ITEM… [bad:ITEM]… [--benchmark_…]: two repetitions of each, 100 ns times the factor
# and a little that differs from run to run. Obeys --benchmark_filter for names without magic.
cat >bench.c <<'END_OF_FILE'
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	double factor = strtod(argv[1], NULL), noise = getpid() % 17 / 1e4;
	const char *filter = ".", *comma = "";
	int i, r, json = 0;
	regex_t regex;

	for (i = 2; i < argc; i++)
		if (strncmp(argv[i], "--benchmark_filter=", 19) == 0)
			filter = argv[i] + 19;
		else if (strcmp(argv[i], "--benchmark_format=json") == 0)
			json = 1;
	if (!json || regcomp(&regex, filter, REG_EXTENDED) != 0)
		return 1;
	puts("{ \"context\": {}, \"benchmarks\": [");
	for (i = 2; i < argc; i++) {
		int bad = strncmp(argv[i], "bad:", 4) == 0;
		const char *name = argv[i] + (bad ? 4 : 0);

		if (name[0] == '-' || regexec(&regex, name, 0, NULL, 0) != 0)
			continue;
		for (r = 0; r < 2; r++, comma = ",")
			printf("%s{ \"name\": \"%s\", \"run_name\": \"%s\", \"run_type\": \"iteration\", \"family_index\": %d,"
			       "\"repetition_index\": %d, %s \"real_time\": %.17g, \"cpu_time\": %.17g, \"time_unit\": \"ns\","
			       "\"items_per_second\": %.17g }\n", comma, name, name, i, r,
			       bad ? "\"error_occurred\": true, \"error_message\": \"no input\"," : "",
			       (100 + noise + r) * factor, (100 + noise + r) * factor, 1e7 / ((100 + noise + r) * factor));
		printf(", { \"name\": \"%s_mean\", \"run_name\": \"%s\", \"run_type\": \"aggregate\", \"real_time\": 1 }\n",
		       name, name);
	}
	puts("] }");
	return 0;
}
END_OF_FILE
gcc -O1 -o bench bench.c && cp bench bench2
enough='--pairs 8 --aa-pairs 2'
COLUMNS=200
export COLUMNS

# Compiled meanwhile, since its header takes seconds.
cat >real.cc <<'END_OF_FILE'
#include <benchmark/benchmark.h>

static void BM_loop(benchmark::State &state)
{
	for (auto _ : state)
		for (int i = 0; i < WORK; i++)
			benchmark::DoNotOptimize(i);
}
BENCHMARK(BM_loop)->MinTime(0.001);

static void NAME(benchmark::State &state)
{
	for (auto _ : state)
		benchmark::ClobberMemory();
}
#define REGISTER(name) BENCHMARK(name)->MinTime(0.001) /* what NAME stands for */
REGISTER(NAME);

static void BM_error(benchmark::State &state)
{
	state.SkipWithError("no input");
	for (auto _ : state)
		;
}
BENCHMARK(BM_error);
BENCHMARK_MAIN();
END_OF_FILE
real=
for compiler in g++ clang++; do
	[ -n "$real" ] || ! command -v $compiler >/dev/null ||
		! echo '#include <benchmark/benchmark.h>' | $compiler -E -x c++ - >/dev/null 2>&1 || real=$compiler
done
if [ -n "$real" ]; then
	for which in before:1000 after:20000; do
		$real -DWORK="${which#*:}" -DNAME="BM_${which%:*}" real.cc -o "${which%:*}" -lbenchmark -lpthread \
			>>real.log 2>&1 &
	done
fi

gb="--reader google-benchmark $enough"

# ---- assay compare ----

ends 0 assay compare $gb --name old './bench 1 BM_a BM_b/8 BM_old' \
	--name new './bench2 1.1 BM_a BM_b/8 BM_new' &&
	said 'new takes 1\.10* times as long as old .*in BM_a' && said 'as long as old .*in BM_b/8' &&
	said 'no comparison of new with old in BM_old: only old has it' &&
	said 'in BM_new: only new has it' && said 'warning: 2 items are not in each variant' &&
	said 'BM_a new, ns'
ok 'two benchmark binaries: a verdict for each item, and items of one alone are told'

ends 3 assay compare --quiet $gb --items 'BM_(a|c)' --metric items_per_second --fail-if-slower 2% \
	--name old './bench 1 BM_a BM_ab' --name new './bench2 1.1 BM_a BM_ab' &&
	said 'items_per_second of new is worse by a factor of 1\.10*' &&
	said 'slower than allowed in BM_a: at least .* % worse' && ! grep -q BM_ab "$out"
ok '--items chooses by the whole name; a counter as metric; --fail-if-slower looks at each item'

ends 1 assay compare --quiet $gb --name old './bench 1 BM_a BM_x' --name new './bench2 1 BM_a bad:BM_x' &&
	said 'FAILED: BM_x in new: no input' && said 'in BM_a'
ok 'a benchmark that reports an error fails alone'

ends 5 assay compare --quiet $gb --name old 'echo hello' --name new './bench2 1 BM_a' &&
	said 'no JSON of Google Benchmark in the output'
ok 'a program that is no benchmark binary'

p99="p99 latency: ([%d.]+)"
ends 0 assay compare $enough --metric "$p99" --better higher --name old "printf 'p99 latency: 5.%d us\n' 1 2 3" \
	--name new "printf 'p99 latency: 6.%d us\n' 1 2 3" &&
	said 'p99_latency of new is better by a factor of 1\.19* than that of old' && said '^p99_latency  *median'
ok '--metric PATTERN: a value out of the output; --better'

ends 5 assay compare --quiet $enough --metric "$p99" --name old "printf 'p99 latency: 5\n'" \
	--name new "printf 'p98 latency: 6\n'" && said 'FAILED: new: no line of the output matches'
ok 'an output without a match is a failure with its reason'

# ---- a study ----

mkdir study && cp bench study && cd study || exit 1
cat >build.ninja.lua <<'END_OF_FILE'
study { name = "readers" }
experiments "experiments/*"
END_OF_FILE
mkdir experiments
cat >experiments/items.md <<'END_OF_FILE'
# Items

```lua
local bench = program "bench" { "./bench" }

experiment "items" {
    variants = {
        variant "old" { bench, args = { "1", "BM_a", "BM_b/8", "BM_old", "elsewhere" } },
        variant "new" { bench, args = { "1.1", "BM_a", "BM_b/8", "BM_new", "elsewhere" } },
    },
    reader = "google-benchmark",
    items = "BM_.*",
    design = { pairs = 10, aa_pairs = 2 },
    metrics = { "wall_us", { "items_per_second", unit = "1/s", better = "higher" }, "max_rss_kib" },
    claims = { slower("new", "old", { item = "BM_a" }), slower("new", "old") },
    figures = { figure "speedup" {}, figure "forest" {} },
}
```

In BM_a it takes {{ fixed(1 / at():item("BM_a"):compare("new", "old").speedup, 2) }} times as long.
END_OF_FILE
cat >experiments/patterns.lua <<'END_OF_FILE'
local print = program "print" { "printf" }

experiment "patterns" {
    variants = {
        variant "old" { print, args = { "rate %s/s\n", "11", "12", "13" } },
        variant "new" { print, args = { "rate %s/s\n", "21", "22", "23" } },
    },
    reader = "patterns",
    design = { pairs = 10, aa_pairs = 2 },
    metrics = { { "rate", pattern = "^rate (%d+)/s$", unit = "1/s", better = "higher" }, "process_wall_us" },
    claims = { faster("new", "old", { by = 1.5 }) },
}
END_OF_FILE
ends 0 assay generate && ends 0 ninja report && said 'claim C1 supported: new is slower than old in BM_a' &&
	said 'claim C2 supported' && said 'claim C3 supported' && said 'only old has it'
ok 'a study: claims of an item, of all items, of what a pattern finds'

report=build/report/report.md
grep -q 'In BM_a it takes 1.10 times as long' $report && grep -q '| BM\\_b/8 | wall\\_us' $report &&
	grep -q 'only new has it' $report && grep -q 'Benjamini-Hochberg' $report && ! grep -q elsewhere $report &&
	grep -q '^items,[^,]*,,wall_us,us,BM_a,old,new,' build/report/summary.csv &&
	[ "$(grep -c '^items,[^,]*,,max_rss_kib' build/report/summary.csv)" -eq 1 ]
ok 'the report, its tables, its prose and summary.csv name the items'

grep -q '^0,new over old,0,0\.909' build/report/figures/items-speedup.csv &&
	grep -q 'row_1 = "items BM_b/8: new"' build/report/figures/items-forest.gnuplot
ok 'figures show the items'

case_id=$(basename build/stats/items-*.json .json)
jq -e '[.items[] | select(.treatments != [0, 1]) | .item] == ["BM_old", "BM_new"]' "build/stats/$case_id.json" >"$out" &&
	jq -e '.metrics[0].items[0].comparisons[0].correction == "Benjamini-Hochberg"' "build/stats/$case_id.json" >"$out"
ok 'the case document lists who has which item'

before=$(logs)
sed 's/\^rate (%d+)/rate %d(%d)/' experiments/patterns.lua >changed && mv changed experiments/patterns.lua
ends 0 assay generate && ends 0 ninja build/stats.json && [ "$(logs)" = "$before" ] &&
	jq -e '.cases[].metrics[] | select(.name == "rate") | .items[0].treatments[0].median == 2' build/stats.json >>"$out"
ok 'another pattern reads the stored outputs again and measures nothing'
cd ..

# ---- the real library ----

if [ -z "$real" ]; then
	echo 'ok a binary with the real Google Benchmark # SKIP libbenchmark-dev or a C++ compiler is not installed'
	exit 0
fi
wait
cat real.log >"$out"
[ -x before ] && [ -x after ] && ends 1 assay compare --quiet $gb --items 'BM_(loop|before|after|error).*' ./before \
	./after && said 'after takes [0-9.]* times as long as before .*in BM_loop' && said 'only before has it' &&
	said 'only after has it' && said 'FAILED: BM_error in after: no input'
ok 'a binary with the real Google Benchmark before and after a change'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/bench/no-op.sh [FOLDER]
#
# What a `ninja report` with nothing to do costs in a study of 1,000 cases, `assay check` included, as a
# multiple of what Ninja takes on an equal graph that calls nothing of ours: the same build.ninja on
# a copy of the same files, its commands `true`. At most 3 is wanted.
#
# The study is measured for real, with the smallest design there is, one pair a case of a program
# that takes a millisecond: some minutes. FOLDER keeps it, so that the next run finds it there.
#
#	ASSAY_BIN		the tool; build/bin/assay of this repository where it is not set
#	CASES, EXPERIMENTS	1000 cases in one experiment unless told otherwise
#	ROUNDS			how often both are timed, in turns; 21
set -eu
export LC_ALL=C
root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
tool=${ASSAY_BIN:-$root/build/bin/assay}
cases=${CASES:-1000} experiments=${EXPERIMENTS:-1} rounds=${ROUNDS:-21}
if [ $# -gt 0 ]; then
	mkdir -p "$1"
	folder=$(cd -- "$1" && pwd)
else
	folder=$(mktemp -d)
	trap 'rm -rf "$folder"' EXIT
fi
study=$folder/study-$experiments equal=$folder/equal-$experiments

make_study() {
	mkdir -p "$study/experiments"
	cat >"$study/fast.c" <<'END_OF_FILE'
#include <stdio.h>

int main(void)
{
	puts("RESULT 12.5 12 0\nCHECK 1");
	return 0;
}
END_OF_FILE
	cat >"$study/build.ninja.lua" <<'END_OF_FILE'
study { name = "many" }
experiments "experiments/*"
END_OF_FILE
	experiment=0
	while [ "$experiment" -lt "$experiments" ]; do
		cat >"$study/experiments/e$experiment.lua" <<END_OF_FILE
local fast = runner "fast" { "fast.c", harness = false }
local points = {}
for i = 1, $((cases / experiments)) do points[i] = i end

experiment "e$experiment" {
    variants = { variant "a" { fast, args = { "a", "{i}" } }, variant "b" { fast, args = { "b", "{i}" } } },
    sweep    = { i = points },
    design   = { pairs = 1, aa_pairs = 0, warmups = 0, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
}
END_OF_FILE
		experiment=$((experiment + 1))
	done
}

# The graph's own `true`: Ninja's log must know the commands, so it runs once.
make_equal() {
	rm -rf "$equal"
	cp -a "$study" "$equal"
	sed "s|^assay_tool = .*|assay_tool = true|; s|^assay_lock = .*|assay_lock = true|; s|^  command = .* generate\$|  command = true|" \
		"$study/build.ninja" >"$equal/build.ninja"
	touch -r "$study/build.ninja" "$equal/build.ninja"
	ninja -C "$equal" report >/dev/null
}

no_op() { # FOLDER: prints microseconds
	begin=$(date +%s%N)
	ninja -C "$1" report >/dev/null
	end=$(date +%s%N)
	echo $(((end - begin) / 1000))
}

[ -d "$study" ] || make_study
cd "$study"
"$tool" generate
echo "measuring what is not measured yet, see $folder/log" >&2
ninja report >"$folder/log" 2>&1 || {
	tail "$folder/log"
	exit 1
}
sleep 3 # a file younger than two seconds is looked at again the next time
ninja report >"$folder/log"
make_equal
round=0
while [ "$round" -lt "$rounds" ]; do
	echo "$(no_op "$study") $(no_op "$equal")"
	round=$((round + 1))
done >"$folder/times"
awk -v experiments="$experiments" -v cases="$cases" '
	function middle(list, n,    i, k, t) {
		for (i = 2; i <= n; i++)
			for (k = i; k > 1 && list[k - 1] > list[k]; k--) {
				t = list[k]
				list[k] = list[k - 1]
				list[k - 1] = t
			}
		return (list[int((n + 1) / 2)] + list[int(n / 2) + 1]) / 2
	}
	{ ours[NR] = $1; equal[NR] = $2; ratio[NR] = $1 / $2 }
	END {
		printf "%d cases in %d experiment%s: no-op %.1f ms, equal graph %.1f ms, ", cases,
			experiments, experiments == 1 ? "" : "s", middle(ours, NR) / 1000,
			middle(equal, NR) / 1000
		median = middle(ratio, NR)
		printf "median ratio of %d: %.2f\n", NR, median
		exit median > 3
	}' "$folder/times"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tests/bench/speed_ceiling.sh [ROUNDS]
#
# How near the vector kernels of the speed benchmark come to what this machine allows, in one run:
# at 32 KiB and at 512 KiB (1024 and 16384 elements, four vectors) the rate of each kernel beside
# that of its loads and stores without the arithmetic, and of its arithmetic without loads and
# stores (kernels/ceiling_lab.c). The lower of the two is what is allowed. Prints the table of
# docs/speed.md. ROUNDS (default 15) rounds of some three seconds, each kernel once a round, forwards
# and backwards in turn, everything under the machine's lock. What can be reached is asked, so of the
# kernels and of what allows them the fastest sample counts, which others on the machine disturb
# least; the median is told beside it.
#
# Exit code 1 when a kernel is below 90 % of what is allowed.
set -eu
LC_ALL=C
export LC_ALL

root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
assay=$root/build/bin/assay
self=$root/tests/bench/speed_ceiling.sh
elements=8388608 # of a sample, 2^23: half a millisecond and more
operations='fma add mul sqrt'

compile() {
	cd -- "$root/kernels"
	for lab in speed_lab:passes ceiling_lab:ceiling; do
		cc -O2 -I. "${lab%:*}.c" speed/data.c "speed/${lab#*:}.c" harness/*.c -lm -o "$1/${lab%:*}"
	done
	cd -- "$1"
}

# What is run in a round: program, kernel, size, form, passes.
list_runs() {
	for n in 1024 16384; do
		for operation in $operations; do
			echo "speed_lab simd_$operation $n - $((elements / n))"
			for form in 1 2 3 4; do
				echo "ceiling_lab moves_$operation $n $form $((elements / n))"
			done
			echo "ceiling_lab registers_$operation $n - $((elements / n / 64))"
		done
	done
}

# Kernel, size, form, and the rates of a process.
one_run() { # PROGRAM KERNEL N FORM ITERS
	form=
	[ "$4" = - ] || form=--form=$4
	./"$1" --kernel="$2" --n="$3" --iters="$5" --samples=21 ${form:+"$form"} |
		awk -v what="$2 $3 $4" '$1 == "RESULT" { print what, $4 }'
}

measure() { # ROUNDS
	list_runs >forwards
	tac forwards >backwards
	round=0
	while [ "$round" -lt "$1" ]; do
		order=forwards
		[ $((round % 2)) -eq 0 ] || order=backwards
		while read -r program kernel n form iters; do
			one_run "$program" "$kernel" "$n" "$form" "$iters" </dev/null
		done <$order
		round=$((round + 1))
	done
}

print_table() {
	sort -k1,1 -k2,2n -k3,3 -k4,4g | awk -v operations="$operations" '
		{
			key = $1 " " $2
			form = key " " $3
			rate[form, ++n[form]] = $4 / 1e9
			if ($4 / 1e9 > best[key])
				best[key] = $4 / 1e9
		}
		END {
			split(operations, names, " ")
			print "| working set | operation | kernel, GFLOP/s (median) | its loads and stores allow | its arithmetic allows | share |"
			print "|---|---|---|---|---|---|"
			for (size = 1024; size <= 16384; size *= 16)
				for (i = 1; i in names; i++) {
					simd = "simd_" names[i] " " size
					form = simd " -"
					moves = best["moves_" names[i] " " size]
					registers = best["registers_" names[i] " " size]
					share = 100 * best[simd] / (moves < registers ? moves : registers)
					low = low || share < 90
					printf "| %d KiB | %s | %.2f (%.2f) | %.2f | %.2f | %.0f %% |\n", size / 32, names[i],
						best[simd], rate[form, int((n[form] + 1) / 2)], moves, registers, share
				}
			exit low
		}'
}

if [ "${1-}" = --inside ]; then
	measure "$2"
	exit
fi
rounds=${1-15}
case $rounds in
'' | *[!0-9]* | 0)
	echo 'usage: tests/bench/speed_ceiling.sh [ROUNDS]' >&2
	exit 2
	;;
esac
[ -x "$assay" ] || {
	echo "speed_ceiling.sh: $assay is not there; './bootstrap tool' builds it" >&2
	exit 1
}
folder=$(mktemp -d)
trap 'cd / && rm -rf "$folder"' EXIT
compile "$folder"
"$assay" lock exclusive -- "$self" --inside "$rounds" >rates
print_table <rates

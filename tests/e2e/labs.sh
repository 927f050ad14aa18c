#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The kernels of the experiments on sharing and on abstraction: right with one thread, with two and with more
# than there are CPUs, under other compilers and flags, and told when they are not.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

kernels=$ASSAY_ROOT/kernels
mkdir objects
(cd objects && cc -O1 -I"$kernels" -c "$kernels"/harness/*.c "$kernels"/team/*.c) >"$out" 2>&1 &&
	for lab in sharing histogram schedule; do
		cc -O1 -I"$kernels" "$kernels/${lab}_lab.c" objects/*.o -o $lab -pthread >>"$out" 2>&1 || exit 1
	done
ok 'they compile' || exit 1

# Each checks its output against a reference that is computed otherwise.
all_agree() { # LAB OPTION…
	lab=$1
	shift
	: >"$out"
	for kernel in $(./"$lab" --list | cut -f1); do
		for threads in 1 2 5; do
			./"$lab" --kernel="$kernel" --threads=$threads --samples=2 "$@" >one 2>&1 || echo "failed $kernel" >>"$out"
			grep '^CHECK\|wrong' one >>"$out"
		done
	done
	[ "$(sort -u "$out" | wc -l)" -eq 1 ] && [ "$(wc -l <"$out")" -eq $((3 * $(./"$lab" --list | wc -l))) ]
}
all_agree sharing --n=100003 && [ "$(./sharing --list | wc -l)" -eq 3 ]
ok 'packed, padded and private counters come to the same'
all_agree histogram --n=20011 && [ "$(./histogram --list | wc -l)" -eq 5 ]
ok 'a histogram of 1,000 classes is the same wherever it is counted'
all_agree histogram --n=10 --classes=3
ok 'and one of three, with more threads than some have records'
all_agree schedule --n=301 --chunk=3 --unequal=1 && cp "$out" unequal && all_agree schedule --n=301 --chunk=3 --unequal=0 &&
	! cmp -s unequal "$out"
ok 'each task is done once by whoever gets it'

# A counter that all threads share without an atomic addition loses counts: that is seen.
sed 's/atomic_fetch_add(scene->total, \*counter)/*(volatile uint64_t *)scene->total = *counter/' "$kernels/sharing_lab.c" >lossy.c
cc -O1 -I"$kernels" lossy.c objects/*.o -o lossy -pthread >"$out" 2>&1 &&
	ends 1 ./lossy --kernel=padded --threads=2 && said 'computes a wrong result, nothing was timed: .* increments were counted'
ok 'lost counts are told and nothing is timed'
ends 2 ./sharing --kernel=padded --threads=65 && said 'threads'
ok 'so are more threads than it can have'

# ---- abstraction ----

# The instructions for gathers where there are some, and the same without.
: >"$out"
for how in 'gcc -O3 -march=native' 'clang -O0'; do
	command -v "${how%% *}" >/dev/null 2>&1 || continue
	# shellcheck disable=SC2086 # a list of words
	$how -Werror -I"$kernels" "$kernels/abstraction_lab.c" objects/*.o -o abstraction >errors 2>&1 || cat errors >>"$out"
	for kernel in plain checked interleaved blocked; do
		./abstraction --kernel=$kernel --n=1000 --samples=2 2>&1 | grep '^CHECK\|wrong' >>"$out"
	done
done
[ "$(sort -u "$out" | wc -l)" -eq 1 ] && [ $(($(wc -l <"$out") % 4)) -eq 0 ] && said '^CHECK'
ok 'plain, checked, interleaved and blocked come to the same under each compiler and its flags'
ends 1 ./abstraction --kernel=plain --n=1001 && said 'is no multiple of 8'
ok 'a length that is no multiple of the gang is an error'

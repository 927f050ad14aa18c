#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The kernels of the blur: they agree bit by bit whatever the chunk and the number of threads, and
# they tell the work and the traffic that they have.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

ends 0 cc -O2 -pthread -I"$ASSAY_ROOT/kernels" "$ASSAY_ROOT/kernels/blur_lab.c" \
	"$ASSAY_ROOT/kernels/team/team.c" "$ASSAY_ROOT"/kernels/harness/*.c -o lab
ok 'it compiles' || exit 1

# Each compares its output with a blur in whole numbers before it prints. 37 rows divide by nothing.
for shape in '--kernel=square' '--kernel=square --threads=40' '--kernel=two_passes' '--kernel=two_passes --threads=3' \
	'--kernel=fused --chunk=1' '--kernel=fused --chunk=5 --threads=3' '--kernel=fused --chunk=100 --threads=2'; do
	./lab $shape --n=37 --samples=2 || echo "failed: $shape"
done >shapes 2>&1
cp shapes "$out"
[ "$(grep -c '^CHECK' shapes)" -eq 7 ] && [ "$(grep '^CHECK' shapes | sort -u | wc -l)" -eq 1 ]
ok 'all kernels, chunks and numbers of threads give the same image'

# RESULT: us, us, flop/s; METRIC bytes_per_s: B/s. Their products are counts of one pass.
does() { # ARGUMENTS FLOPS BYTES
	./lab $1 --n=1024 --samples=1 --warmup-samples=0 >"$out" 2>&1 &&
		awk -v flops="$2" -v bytes="$3" '
			function differs(a, b) { return a < b * 0.999999 || a > b * 1.000001 }
			$1 == "RESULT" { s = $2 / 1e6; f = $4 * s }
			$1 == "METRIC" { b = $3 * s }
			END { exit differs(f, flops) || differs(b, bytes) }' "$out"
}
# 9, 6 and 6 (1 + 1/chunk) multiply-adds a pixel, two_passes with the rows beside the image.
does --kernel=square $((2 * 9 * 1048576)) $((4 * (1026 * 1026 + 1024 * 1024))) &&
	does --kernel=two_passes $((2 * 3 * (1026 + 1024) * 1024)) \
		$((4 * (1026 * 1026 + 2 * 1026 * 1024 + 1024 * 1024))) &&
	does '--kernel=fused --chunk=16' $((2 * 6 * 17 * 65536)) $((4 * (1026 * 1026 + 1024 * 1024)))
ok 'work and traffic are those of the algorithm'

ends 2 ./lab --kernel=fused --chunk=0 && said 'must be a whole number from 1'
ok 'a chunk without rows is refused'

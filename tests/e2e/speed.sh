#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The kernels of the speed benchmark: vector and scalar form give the same bits at each width that
# this machine has, scalar stays scalar, and what cannot be is refused.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

cd "$ASSAY_ROOT/kernels" || exit 1
ends 0 cc -O2 -I. -c speed/passes.c -o "$OLDPWD/passes.o" &&
	ends 0 cc -O2 -I. speed_lab.c "$OLDPWD/passes.o" speed/data.c harness/*.c -lm -o "$OLDPWD/lab"
ok 'it compiles' || exit 1
cd "$OLDPWD" || exit 1

check_of() { # OPTION…
	./lab --iters=3 --samples=1 --warmup-samples=0 "$@" 2>/dev/null | grep '^CHECK' || echo "nothing of $*" >>"$out"
}
widths=$(./lab --kernel=simd_fma --width=1 2>&1 | sed -n 's/.*this CPU has: //p' | tr -d ,)
if [ "$widths" = none ]; then
	echo 'ok no vectors here # SKIP'
	exit 0
fi
for operation in fma add mul sqrt; do
	: >"$out"
	for n in 4 8 16 1024 16384; do
		scalar=$(check_of --kernel=scalar_$operation --n=$n)
		for width in $widths; do
			[ -n "$scalar" ] && [ "$(check_of --kernel=simd_$operation --n=$n --width="$width")" = "$scalar" ] ||
				echo "n=$n width=$width differs" >>"$out"
		done
	done
	[ ! -s "$out" ]
	ok "$operation: vector and scalar agree bit for bit, at widths $widths"
done

objdump -d --no-show-raw-insn passes.o >code 2>"$out"
case $(uname -m) in
x86_64)
	for operation in fma add mul sqrt; do
		awk -v name="<scalar_$operation>:" '$2 == name { on = 1 } on && NF == 0 { exit } on' code >scalar
		: >"$out"
		grep -q "v[a-z]*$operation[a-z0-9]*sd " scalar && ! grep 'ymm\|zmm\|[dltbu0-9]pd ' scalar | grep -v 'vmovlpd' | tee -a "$out" | grep -q .
		ok "scalar_$operation has scalar instructions alone"
	done
	;;
esac

ends 1 ./lab --kernel=simd_fma --n=1000 && said 'power of two'
ok 'a length that does not divide 2^30 is an error'
ends 1 ./lab --kernel=simd_fma --width=64 && said 'unsupported: vectors of 64 bits; this CPU has'
ok 'a width that is not there is unsupported'

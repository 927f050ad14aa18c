#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The ceilings of the speed benchmark: at each width that this machine has they move and compute
# what they say, in registers without a load or a store inside the loop.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

cd "$ASSAY_ROOT/kernels" || exit 1
ends 0 cc -O2 -I. -c speed/ceiling.c -o "$OLDPWD/ceiling.o" &&
	ends 0 cc -O2 -I. ceiling_lab.c speed/data.c "$OLDPWD/ceiling.o" harness/*.c -lm -o "$OLDPWD/lab"
ok 'it compiles' || exit 1
cd "$OLDPWD" || exit 1

widths=$(./lab --kernel=moves_fma --width=1 2>&1 | sed -n 's/.*this CPU has: //p' | tr -d ,)
if [ "$widths" = none ]; then
	echo 'ok no vectors here # SKIP'
	exit 0
fi

# Each checks its output against the operation done again, element by element.
: >"$out"
for width in $widths; do
	for operation in fma add mul sqrt; do
		./lab --kernel=registers_$operation --n=1024 --width="$width" --samples=1 --warmup-samples=0 >>"$out" 2>&1 ||
			echo failed >>"$out"
		for form in 1 2 3 4; do
			./lab --kernel=moves_$operation --n=128 --width="$width" --form=$form --samples=1 --warmup-samples=0 \
				>>"$out" 2>&1 || echo failed >>"$out"
		done
	done
done
[ "$(grep -c '^CHECK' "$out")" -eq $((20 * $(echo "$widths" | wc -w))) ] && ! grep -q failed "$out"
ok "moves and registers are right at widths $widths"

# 64 passes' worth of n elements, two operations each.
ends 0 ./lab --kernel=registers_fma --n=1024 --iters=10 --samples=1 &&
	awk '$1 == "RESULT" { flops = $2 * $4 / 1e6 } END { exit !(flops > 1310719 && flops < 1310721) }' "$out"
ok 'the rate is that of the work done'

case $(uname -m) in
x86_64)
	objdump -d --no-show-raw-insn ceiling.o >code 2>"$out"
	# The loop is what lies between the jump back and where it goes.
	for operation in fma add mul; do
		awk -v name="<arithmetic_${operation}_256>:" '$2 == name { on = 1 } on && NF == 0 { exit } on' code |
			grep "v[a-z0-9]*${operation}[a-z0-9]*pd " >found
		[ "$(wc -l <found)" -eq 8 ] && ! grep -q '(' found
		ok "$operation in registers is eight instructions without memory"
	done
	;;
esac

ends 1 ./lab --kernel=registers_fma --n=4 && said 'is less than the .* elements in the registers'
ok 'too few elements are an error'

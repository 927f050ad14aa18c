#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What measures the machine's ceilings does what it says: at each width that this machine has its
# streams and its arithmetic are right element by element, by several threads as by one; nothing but
# multiply-adds is in the loop of the peak; a chase goes through all its lines, in chains.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

cd "$ASSAY_ROOT/kernels" || exit 1
ends 0 cc -O2 -I. -c machine/peak.c -o "$OLDPWD/peak.o" &&
	ends 0 cc -O1 -I. machine_lab.c machine/chase.c machine/pages.c machine/stream.c machine/team.c \
		"$OLDPWD/peak.o" harness/*.c -lm -pthread -o "$OLDPWD/lab"
ok 'it compiles' || exit 1
cd "$OLDPWD" || exit 1

# Each checks its own output before it times anything.
run() {
	./lab "$@" --samples=1 --warmup-samples=0 >>"$out" 2>&1 || echo failed >>"$out"
}
all_right() { # HOW_MANY
	[ "$(grep -c '^CHECK' "$out")" -eq "$1" ] && ! grep -q failed "$out"
}

widths=$(./lab --kernel=fma --width=1 2>&1 | sed -n 's/.*this CPU has: //p' | tr -d ,)
if [ "$widths" = none ]; then
	echo 'ok no vectors here # SKIP'
else
	: >"$out"
	for width in $widths; do
		for threads in 1 3; do
			run --kernel=fma --n=57600 --width="$width" --threads=$threads
			for operation in copy scale add triad; do
				run --kernel=$operation --n=1003 --width="$width" --threads=$threads
				run --kernel=${operation}_nt --n=1003 --width="$width" --threads=$threads
			done
		done
	done
	all_right $((18 * $(echo "$widths" | wc -w)))
	ok "streams and arithmetic are right at widths $widths, by one thread and by three"

	checks=$(for kernel in triad triad_nt; do
		./lab --kernel=$kernel --n=1003 --threads=2 --samples=1 | grep CHECK
	done | sort -u | wc -l)
	[ "$checks" -eq 1 ]
	ok 'ordinary and non-temporal stores leave the same'

	# 16 and 24 bytes an element, by the rules of STREAM; each metric is that of its own line.
	for rule in copy:16 scale:16 add:24 triad:24; do
		ends 0 ./lab --kernel="${rule%:*}" --n=65536 --samples=1 &&
			awk -v bytes="${rule#*:}" '$1 == "RESULT" { us = $2 } $2 == "bytes_per_s" { all = us * $3 / 1e6 }
				END { exit !(all > 65535.9 * bytes && all < 65536.1 * bytes) }' "$out" || break
	done
	ok 'bytes are counted by the rules of STREAM'
fi

case $(uname -m) in
x86_64)
	objdump -d --no-show-raw-insn peak.o >code 2>"$out"
	# From the first multiply-add on to the jump back.
	awk '$2 == "<fma_256>:" { on = 1 } on && /vfmadd/ { loop = 1 } loop { print } loop && $2 ~ /^j/ { exit }' code >loop
	[ "$(grep -c 'vfmadd[0-9a-z]* ' loop)" -eq 12 ] && ! grep -q '(' loop
	ok 'the peak is twelve chains without memory'
	;;
esac

: >"$out"
for chains in 1 2 4 8 16 32; do
	run --kernel=chase --bytes=65536 --chains=$chains --n=1000 --huge=0
	run --kernel=walk --bytes=4194304 --chains=$chains --n=1000
done
all_right 12
ok 'a chase advances a line a step, in each number of chains'

# 1024 lines in one cycle: after as many steps it is where it began, and at no time before.
places=$(for steps in 1023 1024; do
	./lab --kernel=chase --bytes=65536 --n=$steps --samples=1 --warmup-samples=0 | grep CHECK
done | sort -u | wc -l)
[ "$places" -eq 2 ] && ends 0 ./lab --kernel=chase --bytes=65536 --n=1024 --samples=1 &&
	said '^METRIC ns_per_load [0-9.e+-]* ns$' && said '^CFG 1024 1$'
ok 'the time of a load is told'

ends 0 ./lab --kernel=cycles --n=6400 --samples=1 --threads=2 &&
	awk '$1 == "RESULT" { adds = $2 * $4 / 1e6 } END { exit !(adds > 6399 && adds < 6401) }' "$out"
ok 'additions are counted, of all threads'
ends 1 ./lab --kernel=cycles --n=100 && said 'is no multiple of 32,'
ok 'additions that do not fill a turn are an error'
ends 1 ./lab --kernel=chase --chains=3 && said 'take 1, 2, 4, 8, 16 or 32 chains'
ok 'three chains are an error'
ends 1 ./lab --kernel=triad --width=96 && said 'this CPU has'
ok 'a width that is not there is an error'

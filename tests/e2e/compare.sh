#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `assay compare`: two commands and more without a spec, what ends it, and that nothing stays
# behind. Verdicts are asserted for memory, which needs no quiet machine.

. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

here='a folder with ü'
mkdir -p "$here" tmp
TMPDIR=$PWD/tmp
export TMPDIR
cd "$here" || exit 1

# Touches so many KiB, says hello. In large pages where there are any: it runs often.
cat >touch.c <<'END_OF_FILE'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	size_t i, bytes = 1024 * strtoull(argc > 1 ? argv[1] : "0", NULL, 10);
	volatile char *block = aligned_alloc(2 << 20, bytes + 1);

	madvise((void *)block, bytes, MADV_HUGEPAGE);
	for (i = 0; i < bytes; i += 4096)
		block[i] = 1;
	puts("hello");
	return 0;
}
END_OF_FILE
gcc -O1 -o old touch.c && cp old new && cp old 'new one'
few='--pairs 4 --aa-pairs 1'
enough='--pairs 8 --aa-pairs 2' # for a verdict

nothing_left() {
	[ -z "$(ls -A "$TMPDIR")" ] || {
		ls -A "$TMPDIR" >>"$out"
		return 1
	}
}

# ---- the answer ----

ends 0 assay compare --metric rss './old 15000' './new 16500' &&
	said 'max_rss_kib of new is worse by a factor of 1\.[01][0-9]* than that of old' &&
	said 'old: ./old 15000' && said 'SHA-256' && said 'this machine only' && said 'in MiB' && nothing_left
ok 'a sentence, a table and what was compared; no temporary folder stays'

said 'for 16 pairs and 4 A/A pairs (from the warm-ups)' &&
	said 'provisional, after [0-9]* of 16 pairs, not used to stop'
ok 'the time it will take, and a first interval that is marked as provisional'

ends 3 assay compare --quiet --metric rss --fail-if-slower 2% $enough './old 15000' './new 16500' &&
	said 'new is slower than allowed: at least'
ok '--fail-if-slower 2%: 10 % more ends with 3'

ends 5 assay compare --quiet --metric rss --fail-if-slower 2% --pairs 2 --aa-pairs 0 './old 15000' './new 16500' &&
	said 'whether new is slower cannot be said: a 95 % interval needs at least'
ok '--fail-if-slower with too few pairs for an interval is no pass: 5'

mkdir "$TMPDIR/assay-compare-aaaaaa" "$TMPDIR/assay-compare-bbbbbb" "$TMPDIR/assay-compare-cccccc"
touch -d '1 hour ago' "$TMPDIR"/assay-compare-[ab]*
ends 0 flock "$TMPDIR/assay-compare-bbbbbb" "$ASSAY_BIN" compare --quiet --metric rss $few ./old ./new &&
	[ "$(ls "$TMPDIR")" = "assay-compare-bbbbbb
assay-compare-cccccc" ] && rmdir "$TMPDIR"/*
ok 'the folder of a comparison that was killed is removed; one that is held, or new, stays'

ends 0 assay compare --quiet --metric rss --fail-if-slower 20% $enough './old 15000' './new 16500' &&
	! grep -q 'than allowed' "$out"
ok '--fail-if-slower 20%: 10 % more is allowed'

ends 0 assay compare --quiet $few './old 100' './new 100' && said 'new and old are identical'
ok 'a byte copy with the same arguments is said to be identical'

ends 0 assay compare --quiet $few './old 100' './new 101' && ! grep -q identical "$out"
ok 'with another argument it is not'

ends 0 assay compare --metric rss './old 15000' --name more './new 16500' --name less './new 5000' &&
	said 'more is worse' && said 'less is better'
ok 'three commands, all against the first'

ends 0 assay compare $few ./old './new {n}' --sweep n=1,2,4 &&
	said 'at n=1' && said 'at n=2' && said 'at n=4'
ok 'a sweep: each value is a case'

ends 0 assay compare --quiet $few ./old "$PWD/new one" && said 'new_one'
ok 'a path with blanks is one command'

# ---- outputs ----

ends 3 assay compare $few ./old 'echo HELLO' && said 'THE OUTPUTS DIFFER' &&
	said '"hello" against "HELLO"' && ! grep -q 'times as' "$out" && nothing_left
ok 'different output is said loudly, and no number is given'

ends 0 assay compare --quiet --no-check-output $few ./old 'echo HELLO'
ok '--no-check-output compares all the same'

ends 0 assay compare --quiet --shell $few 'cat /proc/uptime; echo $$' 'echo $$; date +%N' &&
	said 'outputs were not compared: what .* prints changes'
ok 'outputs that change from run to run are not compared, and that is said'

ends 3 assay compare --quiet --check-output --shell $few 'echo $$' 'echo $$' && said 'invalid'
ok '--check-output insists'

# ---- what can be wrong ----

ends 4 assay compare ./old ./not-there && said 'there is no program ./not-there'
ok 'a missing program'

ends 4 assay compare ./old not-there-either && said 'in PATH'
ok 'a missing program in PATH'

ends 2 assay compare ./old './new | cat' && said "'|'" && said 'use --shell'
ok 'what only a shell could do is refused'

ends 2 assay compare ./old && said 'two commands'
ok 'one command is not enough'

ends 5 assay compare ./old 'sh -c "echo broken >&2; exit 7"' && said 'exited with 7' &&
	said 'broken' && nothing_left
ok 'a failing command: its exit code and what it said'

ends 0 assay compare --quiet --ignore-failure --no-check-output $few ./old 'sh -c "exit 7"'
ok '--ignore-failure'

ends 5 assay compare --timeout 200ms ./old 'sleep 60' && said 'timeout'
ok '--timeout'

# ---- around the runs ----

echo words >input
ends 0 assay compare --quiet $few --input input --setup 'touch ready' --prepare 'cp ready prepared' \
	--cleanup 'rm ready' cat 'cat -' && [ -e prepared ] && [ ! -e ready ]
ok '--input, --setup, --prepare, --cleanup'

ends 1 assay compare --setup 'sh -c "echo why >&2; exit 1"' --cleanup 'touch cleaned' ./old ./new &&
	said 'setup exited with 1: why' && [ -e cleaned ] && nothing_left
ok 'a setup that fails; cleanup comes all the same'

ends 0 assay compare --quiet $few --env WORD=there --shell 'test "$WORD" = there' 'true'
ok '--env'

# ---- for programs ----

assay compare --quiet --json $few ./old ./new 2>"$out" | jq -e '.format == "assay-compare-1" and
	(.commands | length) == 2 and (.stats.cases | length) == 1 and .commands[0].sha256 != null' >>"$out"
ok '--json to standard output is JSON alone'

ends 0 assay compare --quiet --csv=x.csv --md=x.md --html=x.html $few ./old ./new &&
	[ "$(wc -l <x.csv)" -eq 5 ] && grep -q '^# ' x.md && grep -q '<html' x.html
ok '--csv, --md and --html to files'

# ---- a study to go on with ----

ends 0 assay compare --quiet --keep kept $few './old 1' './new 2'
before=$(cd kept && logs)
(
	cd kept && before=$(contents results/*/*/sessions) && ends 0 assay generate && ends 0 ninja report &&
		[ "$(contents results/*/*/sessions)" = "$before" ] && said 'report: build/report'
) && [ "$before" -gt 0 ]
ok '--keep: ninja report measures nothing again'

ends 4 assay compare --keep kept ./old ./new && said 'not an empty folder'
ok '--keep into a folder with something in it is refused'

# ---- Ctrl-C ----

cp "$(command -v sleep)" "sleeper$$"
interrupt() { # SIGNAL WAIT-FOR OPTION…
	interrupt_signal=$1 interrupt_seen=$2
	shift 2
	"$ASSAY_BIN" compare "$@" "./sleeper$$ 0.31" "./sleeper$$ 0.32" >"$out" 2>&1 </dev/null &
	interrupt_pid=$!
	i=0
	until grep -q "$interrupt_seen" "$out" || [ -e "$interrupt_seen" ]; do
		i=$((i + 1))
		[ $i -lt 200 ] || return 1
		sleep 0.1
	done
	kill -"$interrupt_signal" "$interrupt_pid"
	wait "$interrupt_pid"
	[ $? -eq 130 ] && said interrupted && ! ps -eo args | grep -q "[/]sleeper$$"
}

interrupt INT 'block 1' && nothing_left && said 'nothing is left behind'
ok 'Ctrl-C in the warm-ups: exit code 130, no folder, no process'

interrupt TERM 'block [2-9]' --pairs 4 --aa-pairs 0 --cleanup 'touch gone' && nothing_left && [ -e gone ]
ok 'SIGTERM between pairs: the same, and --cleanup is run'

interrupt INT begun --setup "sh -c 'touch begun; exec ./sleeper$$ 60'" && nothing_left
ok 'Ctrl-C in --setup: its processes end, too'

interrupt INT 'block [2-9]' --pairs 3 --aa-pairs 0 --keep later && said 'kept in' &&
	(cd later && kept=$(logs) && [ "$kept" -gt 2 ] && ends 0 assay generate && ends 0 ninja report &&
		[ "$(logs)" -gt "$kept" ])
ok 'Ctrl-C with --keep: ninja report goes on'

# ---- terminals ----

# All lines but those with the path of this folder, which is as it is.
ends 0 env COLUMNS=40 TERM=dumb NO_COLOR=1 LC_ALL=C.UTF-8 "$ASSAY_BIN" compare ./old ./new &&
	grep -v / "$out" >ours && ! grep -q '.\{41\}' ours && ! grep -q '[^ -~]' ours
ok '40 columns, TERM=dumb: no wider line, plain ASCII, no escape'

if script -qec true /dev/null >"$out" 2>&1 </dev/null; then
	ends 0 env NO_COLOR=1 TERM=xterm script -qec "stty cols 40; '$ASSAY_BIN' compare ./old ./new" /dev/null &&
		said 'in ms\|in us' && ! grep -q "$(printf '\033')\[[0-9;]*m" "$out"
	ok 'on a terminal: no colour'
fi

# ---- anybody ----

if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups \
	test -x "$ASSAY_BIN" 2>/dev/null; then
	(
		folder=$(mktemp -d /tmp/assay-e2e-XXXXXX) && chmod 777 "$folder" && cp old new "$folder" &&
			cd "$folder" && ends 0 env HOME=/nonexistent "TMPDIR=$folder" "ASSAY_LOCK_DIR=$folder/lock" \
			setpriv --reuid 65534 --regid 65534 --clear-groups "$ASSAY_BIN" compare --quiet $few ./old ./new
		code=$?
		rm -rf "$folder"
		exit $code
	)
	ok 'a user who is not root'
fi

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Two studies at once on one machine, one of them compiling and plotting all the time: nothing
# runs beside a group, neither starves, nested use does not deadlock, other users take part.
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"
. "$ASSAY_ROOT/tests/e2e/lib/probe.sh"

here=$PWD
edges=$PWD/edges
: >"$edges"
: >"$journal"

# Compilers and gnuplot hold the journal's lock shared while they work. A group wants it for
# itself (probe.c), so that each of them tells when the other is there.
mkdir tools
for tool in cc gnuplot; do
	cat >"tools/$tool" <<END_OF_FILE
#!/bin/sh
began=\$(date +%s%N)
flock -s -n 9 || alone=0
"$(command -v "$tool")" "\$@" 9>&-
code=\$?
echo "$tool \$began \$(date +%s%N) \${alone-1}" >>"$edges"
exit \$code
END_OF_FILE
	sed -i "2i exec 9>>'$journal'" "tools/$tool"
	chmod +x "tools/$tool"
done
PATH=$here/tools:$PATH

study_of() { # FOLDER PAIRS
	make_probe_study "$1" "$1" <<END_OF_FILE
local function one(name)
    return variant(name, { probe, args = { "--us=3000", journal, "--study=$1", "--as=" .. name } })
end
experiment "e" {
    variants = { one "a", one "b" },
    design   = { pairs = $2, aa_pairs = 1, warmups = 1, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
    figures  = { figure "runs" {} },
}
END_OF_FILE
	echo 'const char turn[] = "turn 0";' >>"$1/probe.c"
	(cd "$1" && assay generate >/dev/null)
}

# ---- what must hold ----

# By those who ran, and by the lock's log: an exclusive hold is alone.
nothing_overlaps() {
	! grep ' 0$' "$journal" "$edges" >>"$out" && sort -n -k 2,2 "$ASSAY_LOCK_DIR"/log-* | awk '
		function wrong(what) { print what ": " $0; bad = 1 }
		$6 == "acquire" && exclusive { wrong("beside an exclusive hold") }
		$5 == "exclusive" && $6 == "acquire" && shared { wrong("beside a shared hold") }
		{ step = $6 == "acquire" ? 1 : -1 }
		$5 == "exclusive" { exclusive += step }
		$5 == "shared" { shared += step }
		END { exit bad || exclusive || shared || !NR }' >>"$out"
}

# Each group ran, whole, inside an exclusive hold of its study.
groups_are_in_holds() { # FOLDER…
	for folder; do
		sort -n "$ASSAY_LOCK_DIR"/log-* | awk -v study="$folder" '
			$5 == "exclusive" && index($7, study "/") == 1 { print "hold", $6, $1 }'
		(cd "$folder" && records | awk '{ printf "group %s %.0f %s\n", $9, $9 + $10 * 1000, $11 }')
	done | awk '
		$1 == "hold" && $2 == "acquire" { from[++holds] = $3 }
		$1 == "hold" && $2 == "release" { to[holds] = $3 }
		$1 == "group" {
			for (i = holds; i > 0 && !($2 >= from[i] && $3 <= to[i]); i--)
				;
			groups++
			if (!i) {
				print "in no hold: " $4
				bad = 1
			}
		}
		END { exit bad || !groups }' >>"$out"
}

# ---- two studies ----

study_of left 90
study_of right 1
(cd right && ninja build/runners >/dev/null)
(cd left && ninja build/runners && exec ninja report) >left.said 2>&1 </dev/null &
left=$!
left_has_begun() {
	(cd left && has_logs 3)
}
wait_until left_has_begun
rounds=0
until is_gone "$left"; do
	rounds=$((rounds + 1))
	sed -i "s/turn [0-9][0-9]*/turn $rounds/" right/probe.c
	(cd right && ninja report) >>right.said 2>&1 </dev/null || echo "code $?" >>right.said
done
wait "$left" && [ ! -e right.code ] && ! grep '^code' right.said >>"$out"
ok 'both studies complete'
cp left.said "$out"
nothing_overlaps
ok 'no group ran beside another group or an edge of either study'
groups_are_in_holds left right
ok 'each group ran inside a hold of the machine'
(cd left && records) | awk 'NR == 1 { print $9 } { last = $9 } END { print last }' >span
awk 'NR == FNR { at[++n] = $1; next } $2 > at[1] && $3 < at[2] { count[$1]++ }
	END {
		print count["cc"] + 0, count["gnuplot"] + 0
		exit !(count["cc"] > 1 && count["gnuplot"] > 1)
	}' span edges >"$out"
ok 'one study compiles and plots while the other one measures'
(cd right && records) | awk 'NR == FNR { at[++n] = $1; next } $9 > at[1] && $9 < at[2] { count++ }
	END { print count + 0; exit !(count > 3) }' span - >"$out"
ok 'and measures, too'
(cd left && each_block_once 91)
ok 'the blocks of the other one are whole'

# ---- nested ----

# While another session waits for the machine, which must not hold up who has it already.
cat >outer.sh <<'END_OF_FILE'
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"
. "$ASSAY_ROOT/tests/e2e/lib/probe.sh"
trap - EXIT
a_session_waits() {
	assay lock --status | grep -q '^waits.*exclusive'
}
echo >outer.begun
wait_until a_session_waits && cd nested && ninja report
END_OF_FILE
study_of nested 1
study_of waiting 1
"$ASSAY_BIN" lock shared -- sh ./outer.sh >outer.said 2>&1 </dev/null &
outer=$!
wait_until [ -e outer.begun ]
(cd waiting && exec ninja report) >waiting.said 2>&1 </dev/null &
waiting=$!
wait "$outer"
outer=$?
cp outer.said "$out"
[ "$outer" -eq 0 ] && (cd nested && [ "$(logs)" -eq 6 ])
ok 'a study nested in a hold runs while another session waits'
wait "$waiting"
waiting=$?
cp waiting.said "$out"
[ "$waiting" -eq 0 ] && (cd waiting && each_block_once 2)
ok 'then that one runs'

# ---- another user ----

if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
	echo 'ok another user # SKIP needs root and setpriv'
	exit
fi
# All that the other one needs, where it may go.
common=$(mktemp -d)
trap 'end_programs "$here"; end_programs "$common"; rm -rf "$common"' EXIT
mkdir -p "$common/tool/bin" "$common/tool/kernels"
cp "$ASSAY_BIN" "$common/tool/bin/assay"
cp -r "$ASSAY_ROOT/figures" "$common/tool/figures"
cp -r "$ASSAY_ROOT/kernels/harness" "$common/tool/kernels/harness"
chmod -R a+rX "$common"
ASSAY_BIN=$common/tool/bin/assay
ASSAY_LOCK_DIR=$common/lock # which the tool makes, open to all
PATH=${PATH#"$here/tools:"}
journal=$common/journal
: >"$journal"
chmod a+rw "$journal"
as_other() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}
for whose in ours theirs; do
	(cd "$common" && study_of "$whose" 8)
done
chown -R 65534:65534 "$common/theirs"

(cd "$common/ours" && ninja report) >"$out" 2>&1 </dev/null &
ours=$!
(cd "$common/theirs" && as_other ninja report) >theirs.said 2>&1 </dev/null
theirs=$?
wait "$ours" && [ "$theirs" -eq 0 ] && (cd "$common/ours" && each_block_once 9) &&
	(cd "$common/theirs" && each_block_once 9) && nothing_overlaps && [ -s "$ASSAY_LOCK_DIR/log-0" ] &&
	[ -s "$ASSAY_LOCK_DIR/log-65534" ]
ok "another user's study takes its turns"
cp theirs.said "$out"
(cd "$common" && groups_are_in_holds ours theirs)
ok 'its groups, too, run inside holds'

"$ASSAY_BIN" lock exclusive --who 'the one' -- sh -c 'until [ -e "$0" ]; do sleep 0.05; done' "$here/go" &
holder=$!
is_held() {
	assay lock --status | grep -q '^holds.*the one'
}
wait_until is_held
as_other "$ASSAY_BIN" lock shared -- sh -c 'echo "$0"' 'it ran' >"$out" 2>&1 &
waiter=$!
is_told() {
	grep -q 'waiting for the machine: process [0-9]* (user 0), the one, holds it exclusive' "$out"
}
wait_until is_told &&
	! grep -q 'it ran' "$out" && echo >go && wait "$waiter" && said 'it ran' && wait "$holder"
ok 'it waits for a hold of ours, and is told whose'

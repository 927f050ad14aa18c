#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# kill -9 of the session, of Ninja, or of both, at a random moment: nothing complete is lost or
# counted twice, and nothing of a killed session runs beside what comes after it.
#	KILLS=50 SEED=7 tests/e2e/kill.sh
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"
. "$ASSAY_ROOT/tests/e2e/lib/probe.sh"

kills=${KILLS-6}
seed=${SEED-1}
pairs=6
blocks=8 # with 2 of A/A
here=$PWD

random() { # BELOW
	seed=$(((seed * 1103515245 + 12345) % 2147483648))
	random=$((seed / 65536 % $1))
}

make_leaving_study kill 10000 "$pairs"

# How many places in blocks the analysis counts a group of.
used_groups() {
	sed 's/"[^"]*"/text/g; s/\r$//' build/samples/*.csv | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$column["used"] == 1 && $column["block"] > 0 {
			count += !seen[$column["block"], $column["slot"]]++
		}
		END { print count + 0 }'
}

# What must hold once all is measured, however often it was begun.
is_whole() {
	each_block_once "$blocks" && [ "$(used_groups)" -eq $((2 * blocks)) ] &&
		jq -e ".pairs.valid == $pairs and .groups.failed == 0" build/stats/*.json >>"$out" &&
		! grep ' 0$' "$journal" >>"$out" && # a group that was not alone
		[ "$(grep -c ^start "$journal")" -ge "$(logs)" ] &&
		[ -z "$(running_from "$here" | tee -a "$out")" ]
}

# Eight in ten while groups run, one before them, one after.
wait_for_moment() { # NINJA
	random 10
	moment=$random
	random 400
	if [ "$moment" -gt 0 ]; then
		until has_logs 1 || is_gone "$1"; do sleep 0.01; done
		random $((groups_ms * 3 / 4))
	fi
	if [ "$moment" -gt 8 ]; then
		until [ -e build/samples ] || is_gone "$1"; do sleep 0.01; done
		random 200
	fi
	sleep "$(printf '%d.%03d' $((random / 1000)) $((random % 1000)))"
}

kill_once() { # session|ninja|both
	ninja report >"$here/killed" 2>&1 &
	ninja=$!
	wait_for_moment "$ninja"
	session=$(session_below "$ninja")
	had=$(logs)
	story="$story at $had logs${session:+ in a session}"
	[ -z "$session" ] || in_session=$((in_session + 1))
	# shellcheck disable=SC2086 # a list of processes, or none
	case $1 in
	session) kill -9 ${session:-$(children_of "$ninja")} ;;
	ninja) kill -9 "$ninja" ;;
	both) kill -9 "$ninja" $session ;;
	esac 2>/dev/null
	wait "$ninja" 2>/dev/null
	remember_logs
}

cd study || exit 1
ends 0 assay generate && ends 0 ninja build/runners
ok 'the program compiles'
: >"$journal"
ends 0 ninja report && is_whole
ok 'undisturbed'
groups_ms=$(records | awk 'NR == 1 { first = $9 } END { printf "%d", ($9 - first) / 1e6 }')

in_session=0
i=0
while [ "$i" -lt "$kills" ]; do
	i=$((i + 1))
	forget_results
	story=
	random 3
	case $random in
	0) whom=session ;;
	1) whom=ninja ;;
	2) whom=both ;;
	esac
	kill_once "$whom"
	random 3
	[ "$random" -gt 0 ] || kill_once "$whom" # the one that was to go on, too
	ends 0 ninja report && [ "$(wc -l <"$out.logs")" -ge "$had" ] && has_remembered_logs &&
		is_whole
	ok "kill $i: $whom$story"
done
echo "# $in_session of the kills met a session; its groups took $groups_ms ms undisturbed"

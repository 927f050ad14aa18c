#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Signals that ask to end: what is complete is kept, the message says how to go on, and
# 'ninja report' goes on from there.
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"
. "$ASSAY_ROOT/tests/e2e/lib/probe.sh"

here=$PWD
blocks=14 # 12 pairs, 2 of A/A

make_leaving_study interrupt 5000 12

# In a process group of its own, as a shell starts a job, and not under a nohup that the tests may
# run under: a session takes that for a wish to outlive its Ninja. What it says goes to $out.
start_report() {
	forget_results
	setsid env --default-signal=HUP ninja report >"$out" 2>&1 </dev/null &
	ninja=$!
}

# The end of Ninja is not yet that of the session: a signal to the group ends the shell between.
wait_for_end() {
	wait "$ninja"
	code=$?
	wait_until nobody_measures && [ "$code" -ne 0 ]
}

nobody_measures() {
	[ -z "$(find results -name running)" ] && [ -z "$(running_from "$here")" ]
}

ended_as_asked() {
	jq -e '.how == "interrupted" and .finished' results/*/*/sessions/001/end.json >>"$out"
}

# The rest is measured, and what was there is as it was.
goes_on() {
	remember_logs
	goes_on_from=$(logs)
	ends 0 ninja report && has_remembered_logs && [ "$(logs)" -gt "$goes_on_from" ] &&
		each_block_once "$blocks" &&
		! grep ' 0$' "$journal" >>"$out"
}

some_are_measured() {
	wait_until has_logs 5
}

cd study || exit 1
ends 0 assay generate && ends 0 ninja build/runners
ok 'the program compiles'

for signal in INT TERM HUP; do
	start_report
	some_are_measured && kill "-$signal" "-$ninja" && wait_for_end &&
		said "goes on from block [0-9]* of $blocks" && ended_as_asked
	ok "SIG$signal to the foreground group: what is complete is kept, and how to go on is said"
	goes_on
	ok "… and 'ninja report' goes on"
done

start_report
some_are_measured && kill -TERM "$ninja" && wait_for_end &&
	said "goes on from block [0-9]* of $blocks" && ended_as_asked
ok 'SIGTERM to Ninja alone ends the session, which Ninja does not tell'
goes_on
ok "… and 'ninja report' goes on"

start_report
some_are_measured && kill -TERM "$(session_below "$ninja")" && wait_for_end &&
	said "goes on from block [0-9]* of $blocks" && ended_as_asked
ok 'SIGTERM to the session alone fails its edge'
goes_on
ok "… and 'ninja report' goes on"

# ---- while it waits for the machine ----

# A shared hold lets the check pass, and the session wait.
"$ASSAY_BIN" lock shared --who somebody -- sleep 600 &
holder=$!
a_session_waits() {
	assay lock --status | grep -q '^waits.*exclusive'
}
start_report
wait_until a_session_waits && kill -INT "-$ninja" && wait_for_end && said "'ninja report' goes on" &&
	[ "$(logs)" -eq 0 ]
ok 'SIGINT while it waits for the machine'
kill "$holder"
wait "$holder"
goes_on
ok "… and 'ninja report' goes on"

# ---- a program that does not end ----

sed -i 's/--do=leaves-grandchild/--do=hangs/' experiments/e.lua
start_report
is_hanging() {
	[ -s "$journal" ] && [ -n "$(running_from "$here")" ]
}
wait_until is_hanging && kill -INT "-$ninja" && wait_for_end && said "'ninja report' goes on" &&
	[ "$(logs)" -eq 0 ]
ok 'SIGINT ends a group that hangs, and it is no failed group'

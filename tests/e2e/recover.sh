#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What happens to a study's files behind the tool's back: specs and inputs that come and go, with
# whatever times, and derived files that are lost. `ninja report` recovers by itself, measures what
# the store lacks and nothing else, and has nothing to do after that.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

measured() { # HOW-MANY cases did the last command under `ends` measure
	[ "$(grep -c '^\[.*\] measure ' "$out")" -eq "$1" ] || {
		echo "that is not $1 measured" >>"$out"
		return 1
	}
}

# All there is to do is to look.
no_op() {
	before=$(tree results build/report build/stats.json)
	ends 0 ninja report && measured 0 && ! grep '^\[' "$out" | grep -v '\] check ' &&
		[ "$(tree results build/report build/stats.json)" = "$before" ]
}

recovers() { # WHAT HOW-MANY-CASES-MEASURED
	ends 0 ninja report && measured "$2" && no_op
	ok "$1"
}

# ---- a study with an experiment over a folder's files ----

make_study .
mkdir texts
echo one >texts/1
cat >experiments/by_text.lua <<'END_OF_FILE'
local fast = runner "fast" { "fast.c", harness = false }

experiment "by_text" {
    variants = { variant "a" { fast, args = { "a", input "{text}" } },
                 variant "b" { fast, args = { "b", input "{text}" } } },
    sweep    = { text = glob "texts/*" },
    design   = { pairs = 1, aa_pairs = 0, warmups = 0, timeout = 60 },
    reader   = "protocol",
}
END_OF_FILE
ends 0 assay generate && ends 0 ninja report && measured 2 && no_op
ok 'the study is measured' || exit 1
report=$(contents build/report)

# ---- specs and inputs ----

sed 's/experiment "e"/experiment "old"/' experiments/e.lua >experiments/old.lua
touch -d 2001-01-01 experiments/old.lua
recovers 'a spec added with an old time' 1
grep -q '^old:' build/report/summary.txt
ok 'it is in the report'

sed 's/"a" }/"A" }/' experiments/old.lua >new
touch -d 2001-01-01 new
mv new experiments/old.lua
recovers 'a spec replaced by another of the same old time' 1

rm experiments/old.lua
recovers 'a spec deleted' 0
! grep -q '^old:' build/report/summary.txt && [ "$(contents build/report)" = "$report" ]
ok 'it is in no report any more'
[ "$(logs 'old-*')" -gt 0 ]
ok 'but its records stay'

echo two >texts/2
touch -d 2001-01-01 texts/2
recovers 'a file added, with an old time, to a folder that a spec globs' 1
mv texts/2 texts/3
recovers 'it is renamed' 1
rm texts/3
recovers 'it is deleted' 0
mv texts elsewhere
ends 1 ninja report && said 'experiments/by_text.lua:[0-9]*:'
ok 'a globbed folder that is gone is told with the line of the spec'
mv elsewhere texts
recovers 'and is back' 0
[ "$(contents build/report)" = "$report" ]
ok 'with the same report'

# ---- derived files ----

records=$(tree results)
lost() { # WHAT PATH…
	what=$1
	shift
	rm -rf "$@"
	ends 0 ninja report && measured_nothing_new && no_op &&
		[ "$(contents build/report)" = "$report" ]
	ok "$what"
}
# A session edge may run; it finds everything in the store.
measured_nothing_new() {
	[ "$(tree results)" = "$records" ] || {
		echo 'the store changed' >>"$out"
		return 1
	}
}
lost 'the log of Ninja is lost' build/.ninja_log
lost 'and its dependencies' build/.ninja_log build/.ninja_deps
lost 'the plans are lost' build/plan
lost 'build/study.json is lost' build/study.json
lost 'what check knows is lost' build/check build/identity
lost 'the stamps of the sessions are lost' build/session
lost 'samples and statistics are lost' build/samples build/stats build/stats.json
lost 'the report is lost' build/report
lost 'the runner is lost' build/runners build/obj
lost 'the whole of build/ is lost' build
rm build.ninja
ends 0 assay generate
lost 'build.ninja is lost, and written again with assay generate'
rm build.ninja
ends 0 assay generate
lost 'build.ninja and build/ are lost' build

# ---- the store ----

rm -r results/e-*/*/sessions/001
recovers 'the records of a session are lost: measured again' 1
[ "$(logs 'e-*')" -eq 8 ]
ok 'all of them'
rm "$(find results/e-* -name '*-ab-*.log' | sort | head -n 1)"
ends 0 ninja report && measured 1
ok 'one record is lost: its pair is measured again'
no_op
ok 'and nothing after that'
log=$(find results/e-* -name '*-ab-*.log' | sort | head -n 1)
sed -i 's/^user_us=/user_us=1/' "$log"
ends 0 ninja report && measured 1 && said "$log: line [0-9]*: .*not those that were written" && no_op
ok 'one record is edited in its place: told, and its pair is measured again'
session=$(dirname "$(find results/e-* -name '*-ab-*.log' | sort | tail -n 1)")
echo '{' >"$session/end.json"
ends 0 ninja report && measured 1 && said "$session/end.json: line .*the whole session does not count" && no_op
ok 'what a session says of its end is damaged: the same of the session'
session=$(dirname "$(find results/e-* -name '*-ab-*.log' | sort | tail -n 1)")
mv "$session/regime.txt" regime.txt
ends 0 ninja report && measured 1 && said "$session/regime.txt: is not there; restore it" && no_op
ok 'the state of the machine that it had is lost: the same'
session=$(dirname "$(find results/e-* -name '*-ab-*.log' | sort | tail -n 1)")
for file in plan provenance end; do
	session=$(dirname "$(find results/e-* -name '*-ab-*.log' | sort | tail -n 1)")
	rm "$session/$file.json"
	ends 0 ninja report && measured 1 && said "$session/$file.json: is not there; restore it" && no_op
	ok "its $file.json is lost: the same"
done
mv results/e-*/*/looks.csv looks.csv
ends 4 assay analyse e && said 'looks.csv: .*the look at 2 pairs is lost; restore it'
ok 'a ledger of looks that is lost is named, and what to do'
echo 'nonsense' >"$(echo results/e-*/*)/looks.csv"
ends 4 assay analyse e && said 'looks.csv:1: .*restore it'
ok 'a ledger of looks that is damaged is named, and what to do'
rm -r results
recovers 'the whole store is lost: measured again' 2
[ "$(logs)" -eq 10 ]
ok 'all of it'

# ---- a plan that is written while its session runs ----

mkdir ../replanned ../replanned/experiments && cd ../replanned || exit 1
echo 'study { name = "replanned" } experiments "experiments/*"' >build.ninja.lua
cat >experiments/slow.lua <<'END_OF_FILE'
local sleep = program "sleep" { "sleep" }
experiment "slow" {
    variants = { variant "a" { sleep, args = { "0.1" } }, variant "b" { sleep, args = { "0.11" } } },
    design   = { pairs = 4, aa_pairs = 0, warmups = 0, timeout = 60 },
}
END_OF_FILE
ends 0 assay generate
ninja report >"$out" 2>&1 </dev/null &
until [ "$(logs)" -gt 0 ] || ! kill -0 $! 2>/dev/null; do
	sleep 0.02
done
sed -i 's/pairs = 4/pairs = 6/' experiments/slow.lua
assay generate >/dev/null 2>&1
wait $!
[ "$(logs)" -eq 8 ] && ends 0 ninja report && [ "$(logs)" -gt 8 ]
ok 'the session that never saw the new plan is followed by one that did'
before=$(tree results)
ends 0 ninja report && [ "$(tree results)" = "$before" ]
ok 'and nothing after that'

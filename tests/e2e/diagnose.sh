#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is told beside the times: counters that a program prints, and diagnoses by tools. The tools
# here are scripts that leave what the real ones left once, so the machine need have none of them,
# no counters and no device.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir -p study/experiments tools && cd study || exit 1
PATH=$PWD/../tools:$PATH
export PATH
cat >tick.c <<'END_OF_FILE'
#include <stdio.h>

int main(void)
{
	puts("RESULT 1000 1000 0\nCOUNTED 1100 1000\nCOUNTER cycles 300000 0.25\n"
	     "COUNTER instructions 900000 0.25\nNOCOUNTER llc_misses perf_event_open: Not today\nCHECK 1");
	return 0;
}
END_OF_FILE
cat >../tools/valgrind <<'END_OF_FILE'
#!/bin/sh
[ "$1" != --version ] || { echo valgrind-recorded; exit; }
echo "valgrind $*" >>ran
for word; do
	case $word in
	--callgrind-out-file=*) file=${word#*=} ;;
	--*) ;;
	*) break ;;
	esac
	shift
done
"$@" || exit
cat >"$file" <<'END'
# callgrind format
positions: line
events: Ir
fn=(1) work'main'(below main)
1 900
fn=(2) main'(below main)
1 100
END
END_OF_FILE
cat >../tools/ncu <<'END_OF_FILE'
#!/bin/sh
[ "$1" != --version ] || { echo 'ncu recorded'; exit; }
echo 'Error:' >&2
echo '==ERROR== ERR_NVGPUCTRPERM - no permission to access the counters of the device' >&2
echo 'ERR_NVGPUCTRPERM: no permission to access the counters of the device' >&2
exit 9
END_OF_FILE
printf '#!/nowhere/at/all\n' >../tools/nsys
chmod +x ../tools/*
cat >build.ninja.lua <<'END_OF_FILE'
study { name = "tried" }
experiments "experiments/*"
END_OF_FILE
cat >experiments/e.md <<'END_OF_FILE'
# Told beside the times

```lua
local tick = runner "tick" { "tick.c", harness = false }
experiment "e" {
    variants = { variant "a" { tick, args = { "a" } }, variant "b" { tick, args = { "b" } } },
    sweep    = { n = { 1, 2 } },
    reader   = "protocol",
    counters = { "cycles", "instructions", "llc_misses" },
    diagnose = { "callgrind", "ncu", "nsys", where = { n = 2 }, variants = { "b" } },
    design   = { pairs = 1, aa_pairs = 0, warmups = 0, timeout = 60 },
    figures  = { figure "flame" { variant = "b" } },
}
```

IPC {{ at{ n = 1 }.ratios.a.ipc }}, cycles {{ integer(at{ n = 1 }.counters.a.cycles) }},
misses {{ at{ n = 1 }.counters.a.llc_misses }}: {{ at{ n = 1 }.uncounted.llc_misses }}.
Hottest {{ at{ n = 2 }:diagnosis("callgrind", "b").hottest }} with
{{ percent(at{ n = 2 }:diagnosis("callgrind", "b").hottest_share) }}; of the device {{ at{ n = 2 }:diagnosis("ncu", "b").sm_percent }}.
END_OF_FILE
report=build/report/report.md

ends 0 assay generate && ends 0 ninja report && said 'diagnose e-n-2'
ok 'a tool that fails fails no report'
ends 0 grep 'IPC 3, cycles 1200000,' $report && ends 0 grep 'misses unavailable: perf.*Not today' $report &&
	ends 0 grep '| a | cycles | 1.2e+06 | 1.2e+06 to 1.2e+06 | 25 % |' $report &&
	ends 0 grep 'Unavailable:.* llc.*misses: perf' $report && ends 0 grep 'counted in 25 % of the time' $report
ok 'counters are scaled, made ratios of, and their share is told'
ends 0 grep 'Diagnosis, not timing' $report && ends 0 grep 'Hottest work with' $report &&
	ends 0 grep '90.*; of the device unavailable' $report &&
	ends 0 grep 'ncu | b at n=2 | .*failed.*exited with 9: ERR' $report &&
	ends 0 grep 'nsys | b at n=2 | .*failed.*did not start: No such file' $report &&
	ends 0 grep 'callgrind | b at n=2 | work | 90.0 % | counted' $report && ends 1 grep 'a at n=' $report
ok 'what the tools told and why they could not is in a section of its own'
ends 0 grep 'work' build/report/figures/e-flame.csv && [ -s build/report/figures/e-flame.svg ]
ok 'the stacks are drawn'
ends 0 jq -e '.runs | length == 3 and all(.key | length == 64)' build/diagnose/e.json &&
	ends 1 grep -q "$PWD" build/diagnose/e.json
ok 'the record has a key, and no path of the machine'
ends 0 ninja report && [ "$(wc -l <ran)" -eq 1 ] && echo '# another version' >>../tools/valgrind &&
	ends 0 ninja report && [ "$(wc -l <ran)" -eq 2 ] && [ "$(logs)" -eq 4 ]
ok 'what was run stays until the tool is another; nothing is measured for it'
mv ../tools/nsys ../tools/valgrind .. && ends 0 env PATH="$PWD/../tools" "$ASSAY_BIN" diagnose e &&
	ends 0 jq -e '[.runs[].state] == ["missing", "failed", "missing"]' build/diagnose/e.json &&
	mv ../valgrind ../nsys ../tools
ok 'a tool that is gone is told as missing'
ends 0 ninja report bundle && ends 0 assay reanalyse build/bundle/tried.tar.zst
ok 'a bundle has the diagnoses and gives the same report'
ends 4 assay diagnose other && said 'asks to be diagnosed'
ok 'an experiment that does not ask for it is refused'

# A record from elsewhere may hold anything.
planted() { # the stacks, as jq makes them
	jq --rawfile deep ../deep "(.runs[] | select(.tool == \"callgrind\") | .result.stacks) = $1" ../real.json >build/diagnose/e.json
}
cp build/diagnose/e.json ../real.json
seq -s ';' 200000 | tr -d '\n' >../deep
planted '{($deep): 7}' && ends 0 assay plot e flame &&
	ends 0 awk 'END { exit NR != 101 }' build/report/figures/e-flame.csv &&
	planted '([range(6000) | {key: "f\(.)", value: 1}] | from_entries)' && ends 4 assay plot e flame &&
	said 'more than 5000 stacks'
ok 'stacks without end are cut or refused'

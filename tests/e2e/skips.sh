#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a program needs and is not there: it is skipped and told so everywhere, the others go on,
# and the records are neither lost nor made again when it comes back.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

# All that is in PATH, by links that the tests take away.
mkdir bin
(
	IFS=:
	for folder in $PATH; do
		ln -s "$folder"/* bin/ 2>>"$out"
	done
)
PATH=$PWD/bin
frob() { # VERSION
	rm -f "$PATH/frob"
	printf '#!/bin/sh\necho frob %s\n' "$1" >"$PATH/frob"
	chmod +x "$PATH/frob"
}
frob 1.0
with=$(readlink bin/c++)
without_cxx() {
	rm "$PATH/c++"
}
with_cxx() {
	ln -s "$with" "$PATH/c++"
}

mkdir -p study/experiments
cd study || exit 1
cat >build.ninja.lua <<'END_OF_FILE'
study { name = "skips" }
experiments "experiments/*"
END_OF_FILE
cat >plain.c <<'END_OF_FILE'
#include <stdio.h>
int main(void) { puts("RESULT 12 12 0\nCHECK 1"); return 0; }
END_OF_FILE
cat >plus.cc <<'END_OF_FILE'
#include <cstdio>
#include <vector>
int main() { std::vector<int> v(4); std::printf("RESULT %d 10 0\nCHECK 1\n", (int)v.size() + 6); }
END_OF_FILE
cat >script.sh <<'END_OF_FILE'
echo RESULT 20 20 0
echo CHECK 1
END_OF_FILE
cat >experiments/e.md <<'END_OF_FILE'
# Three languages

```lua
local c = runner "c" { "plain.c", harness = false }
local cxx = runner "cxx" { "plus.cc", harness = false, needs = "c++" }
local sh = program "script" { "sh", scripts = { "script.sh" }, needs = { version = "frob -V" } }
experiment "e" {
    variants = { variant "a" { c }, variant "b" { cxx }, variant "s" { sh, args = { "script.sh" } } },
    compare  = { { "b", "a" }, { "s", "a" } },
    design   = { pairs = 8, aa_pairs = 1, warmups = 1, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
    claims   = { faster("b", "a") },
}
```

b is {{ at():compare("b", "a").speedup }} times as fast.
END_OF_FILE
whole=29 # groups: 3 warm-ups, a pair A/A, 8 blocks of 3

ends 0 assay generate && ends 0 ninja report && [ "$(logs)" -eq $whole ] &&
	grep -q 'b is 1.2 times as fast' build/report/report.md && grep -q 'treatment 2 need version = frob 1.0' results/*/*/identity.txt
ok 'all is there: a C++ source is compiled as such and measured, and what a need answers is in the identity'

before=$(contents results)
without_cxx
ends 0 ninja report && said '^skipped: b of experiment e: no c++ in PATH$' && [ "$(contents results)" = "$before" ]
ok 'a compiler is gone, no file changed: its variant is skipped with a line, and nothing is measured' || exit 1
grep -q '^  skipped: b: no c++ in PATH$' build/report/summary.txt &&
	grep -q '^\*\*Skipped:\*\* b, since there is no c++ in PATH' build/report/report.md &&
	grep -q 'Skipped:' build/report/report.html &&
	grep -q 'b is unavailable times as fast' build/report/report.md &&
	grep -q '| \*\*open\*\*: b was skipped: no c++ in PATH |' build/report/report.md &&
	grep -q 'no comparison of b with a' build/report/summary.txt &&
	grep -q 's takes 1.67 times as long as a' build/report/summary.txt &&
	! grep -q ',b,ab,' build/samples/e-*.csv && grep -q ',s,ab,' build/samples/e-*.csv
ok 'the report tells it, has no number of it, and has those of the others' || head -n 30 build/report/summary.txt
ends 0 assay status && said 'e-.*: fresh' && said '    b is skipped: no c++ in PATH'
ok 'status tells it'
ends 0 assay plan "$(ls results)" && said '^skipped: b: no c++ in PATH' && said 'measured$' &&
	ends 2 assay measure "$(ls results)" --again --why 'more' && said 'measured with treatments that are skipped now'
ok 'the plan tells it, and to these records nothing can be added'
ends 0 ninja report && said '^skipped: b of experiment e'
ok 'it is told at each ninja'

with_cxx
ends 0 ninja report && ! grep -q skipped "$out" && [ "$(contents results)" = "$before" ] &&
	grep -q 'b is 1.2 times as fast' build/report/report.md
ok 'it is back: nothing is measured again, its numbers are there again'

frob 2.0
ends 0 ninja report && [ "$(logs)" -eq $((2 * whole)) ]
ok 'another version of what a program needs is another program'
frob "$(printf '3\351')"
ends 0 assay generate && jq -e '.needs[] | select(.name == "version").answer == "frob 3?"' build/needs.json >>"$out"
ok 'an answer that is no UTF-8 is one all the same'

# ---- measured without, from the start ----

rm -rf results build
without_cxx
few=20 # 2 warm-ups, a pair A/A, 8 blocks of 2
ends 0 assay generate && said 'skipped: b of experiment e' && ends 0 ninja report && [ "$(logs)" -eq $few ]
ok 'without it from the start the others are measured'
with_cxx
ends 0 ninja report && [ "$(logs)" -eq $((few + whole)) ]
ok 'when it comes, the case is measured with it'
before=$(contents results)
without_cxx
ends 0 ninja report && with_cxx && ends 0 ninja report && [ "$(contents results)" = "$before" ]
ok 'both are kept: neither taking it away nor putting it back measures anything'

mv "$PATH/frob" frob
without_cxx
sed -i 's/{ variant "a" { c }/{ variant "a" { c, needs = "nowhere" }/; s/^    claims/    figures = { figure "speedup" {} },&/' experiments/e.md
ends 0 ninja report && said 'skipped: a of experiment e: no nowhere in PATH' &&
	said 'skipped: s of experiment e: no version (this fails: frob -V)' && [ "$(contents results)" = "$before" ]
ok 'where everything is skipped the report is made as well'
sed -i 's/needs = "nowhere"/needs = { "" }/' experiments/e.md
ends 1 ninja report && said 'e.md:.*variant "a": needs: must be the name of a tool'
ok 'a need without a name is an error'

# ---- in somebody else's hands ----

cat >experiments/e.md <<'END_OF_FILE'
# One script

```lua
local sh = program "script" { "sh", scripts = { "script.sh" }, needs = { trap = "touch TRAP; echo 1" } }
experiment "e" {
    variants = { variant "a" { sh, args = { "script.sh" } }, variant "b" { sh, args = { "script.sh", "b" } } },
    design   = { pairs = 1, aa_pairs = 0, warmups = 0, timeout = 60 },
    reader   = "protocol",
}
```
END_OF_FILE
sed -i "s#TRAP#$PWD/ran#" experiments/e.md
rm -rf results build
git init -q . && git add -A && git -c user.name=t -c user.email=t@t commit -qm study
ends 0 assay generate && [ -e ran ] && ends 0 ninja bundle && rm ran &&
	ends 2 assay reproduce build/bundle/skips.tar.zst && said 'asks whether what it needs is there' &&
	said "touch $PWD/ran" && [ ! -e ran ]
ok 'no command of a bundle is run before it was shown and agreed to'

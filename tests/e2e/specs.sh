#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Specs with a mistake, each laid into a study that was measured before: told with file:line and
# what would be right, exit code 4, and the old graph stays and works. The fifteen, and more, with
# their whole messages are in tests/specs/wrong and go through the model in tests/unit/test_spec.c;
# here they go through the command and Ninja.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

wrong=$ASSAY_ROOT/tests/specs/wrong

# The study has what those specs name, and an experiment whose name none of them takes.
make_study .
mkdir kernels data
cp fast.c kernels/lab.c
echo 'a text' >data/text
sed 's/experiment "e"/experiment "tried"/' experiments/e.lua >experiments/tried.lua
rm experiments/e.lua
cat >build.ninja.lua <<'END_OF_FILE'
study { name = "tried" }
runner "lab" { "kernels/lab.c", harness = false }
experiments "experiments/*"
END_OF_FILE
ends 0 assay generate && ends 0 ninja report && said 'report: build/report/report.html'
ok 'the study is measured' || exit 1

# All that generating writes, and the store.
state() {
	tree build.ninja build/study.json build/help.txt build/plan build/check/*.json results
}
before=$(state)
same() {
	[ "$(state)" = "$before" ] || {
		echo 'something was written' >>"$out"
		return 1
	}
}

# ---- the fifteen ----

mistake() { # NAME
	for file in "$wrong/$1.lua" "$wrong/$1.md"; do
		[ ! -e "$file" ] || cp "$file" experiments/
	done
	ends 4 assay generate && printf 'assay: %s\n' "$(cat "$wrong/$1.expected")" | cmp - "$out" && same
	ok "$1"
	rm -f "experiments/$1".*
}
for spec in "$wrong"/[01][0-9]_*.expected; do
	name=${spec##*/}
	mistake "${name%.expected}"
done

# ---- through Ninja ----

cp experiments/tried.lua kept
sed 's/pairs = 2/pairs = 2^0.5/' kept >experiments/tried.lua
ends 1 ninja report && said '^assay: experiments/tried.lua:5: .*design.pairs: must be a whole' &&
	! said '\] measure\|\] check' && same
ok 'ninja report says it too, and does nothing'
ends 1 ninja report && said '^assay: experiments/tried.lua:5:' && same
ok 'each time'
cp kept experiments/tried.lua
ends 0 ninja report && ! said '\] measure' && same
ok 'mended: the old graph works, nothing is measured again'

# ---- specs that load, but make no graph ----

cat >experiments/taken.lua <<'END_OF_FILE'
target "report" { needs = "build/stats.json" }
experiment "taken" { variants = { variant "a" { "lab" }, variant "b" { "lab", args = { "b" } } } }
END_OF_FILE
ends 4 assay generate && said "'report'" && said 'choose another name' && same
ok 'a name that is taken'
rm experiments/taken.lua
mv build.ninja.lua kept
ends 4 assay generate && said 'build.ninja.lua' && same
ok 'a study without its build.ninja.lua'
mv kept build.ninja.lua
ends 0 ninja report && ! said '\] measure' && same
ok 'all mended: ninja report works as before'

#!/bin/sh
# What changes no result measures nothing: after each change here `ninja report` runs no group,
# and the statistics, the figures' data and the report's numbers stay the same bytes.
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir study && cd study || exit 1
make_tick kernels/tick.c
mkdir experiments
printf '/build/\n/build.ninja\n/results/\n/.ninja_log\n' >.gitignore
cat >build.ninja.lua <<'END'
study { name = "fresh" }
toolchain "default" { cc = "cc", cflags = { "-O2", "-g" } }
experiments "experiments/*"
END
spec() { # TITLE NAME-OF-B CLAIMS FIGURES PROSE
	cat <<END
# $1

\`\`\`lua
local tick = runner "tick" { "kernels/tick.c", harness = false }

experiment "speed" {
    variants = {
        variant "slow" { tick, args = { "{slow}" } },
        variant "$2"   { tick, args = { "{n}" } },
    },
    sweep   = { n = { 1000, 3000 } },
    derive  = { slow = function(p) return 2 * p.n end },
    design  = { pairs = 8, aa_pairs = 2, warmups = 1, timeout = 60 },
    reader  = "protocol",
    correct = { check = "equal" },
    claims  = { $3 },
    figures = { $4 },
}
\`\`\`

$5
END
}
spec 'Is quick faster?' quick '' 'figure "speedup" {}' '' >experiments/speed.md

git_() {
	git -c user.name=tester -c user.email=tester@localhost -c init.defaultBranch=main "$@"
}
git_ init -q . && git_ add . && git_ commit -q -m 'The study' || exit 1

# All numbers, bit by bit.
numbers() {
	(cd build && sha256sum stats.json stats/*.json report/summary.csv report/figures/*-speedup.csv)
}

# The case's numbers without what people call things.
unnamed() {
	jq 'del(.. | .name?, .variant?, .a_name?, .b_name?, .sentence?)' build/stats/*.json
}

# A session that looks into the store and finds everything there may run; a group may not.
runs_no_group() {
	ends 0 ninja report && ! grep -q ': block [0-9]' "$out" &&
		[ "$(contents results)" = "$measured" ]
}
measures_nothing() {
	runs_no_group && numbers >../now && diff ../first ../now >>"$out"
}

ends 0 assay generate && ends 0 ninja report && [ "$(logs)" -eq 44 ] && numbers >../first && unnamed >../unnamed
ok 'two cases of 22 groups are measured'
measured=$(contents results)

touch kernels/tick.c
measures_nothing && said '^\[.*\] compile .*tick'
ok 'touch of the kernel'

comment() {
	git_ checkout -q kernels/tick.c
	sed -i '1i /* A comment that moves every line. */' kernels/tick.c
	echo '/* And one at the end. */' >>kernels/tick.c
}
comment
measures_nothing && said '^\[.*\] compile .*tick'
ok 'a comment at its top and one at its end'
sed -i 's/, "-g"//' build.ninja.lua
measures_nothing && said '^\[.*\] compile .*tick'
ok 'without -g'
git_ checkout -q kernels/tick.c
measures_nothing && said '^\[.*\] compile .*tick'
ok 'the comments gone, without -g'
git_ checkout -q .
measures_nothing
ok 'and all as it was'

rm -rf build build.ninja .ninja_log
ends 0 assay generate && measures_nothing
ok 'build/, build.ninja and .ninja_log wiped'

rm -rf .ninja_log build/.ninja_log
measures_nothing
ok "Ninja's log alone lost"

git clone -q . "../another place" && cp -r results "../another place/" && (
	cd "../another place" && ends 0 assay generate && measures_nothing
)
ok 'a clone to another path, with the results copied'
rm -rf "../another place"

git_ checkout -q -b other && sed -i 's/scale = 1/scale = 1.5/' kernels/tick.c &&
	git_ commit -q -a -m 'A slower kernel' && ends 0 ninja report && [ "$(logs)" -eq 88 ] && ! numbers | diff -q - ../first >/dev/null
ok 'a branch with another kernel is measured'
measured=$(contents results)
git_ checkout -q main && measures_nothing
ok 'back from the branch'
git_ checkout -q other && runs_no_group && said ' as fast as slow'
ok 'and on the branch again'
git_ checkout -q main

# ---- what changes the report alone ----

says() { # TEXT
	grep -q -F "$1" build/report/report.md || {
		echo "the report does not say: $1" >>"$out"
		return 1
	}
}
spec 'Is quick faster?' quick '' 'figure "speedup" {}' \
	'It is {{ fixed(at{ n = 1000 }:compare("quick").speedup, 1) }} times.' >experiments/speed.md
measures_nothing && says 'It is 2.0 times.'
ok 'prose, with a number in it'

spec 'Another title' quick '' 'figure "speedup" {}' '' >experiments/speed.md
measures_nothing && says '# Another title'
ok 'a title'

spec 'Is quick faster?' quick '' 'figure "speedup" {}, figure "runs" {}, figure "ratios" {}' '' \
	>experiments/speed.md
measures_nothing && [ -s build/report/figures/speed-runs.svg ] &&
	[ -s build/report/figures/speed-ratios.svg ]
ok 'two figures'

# A claim gets a verdict in stats.json and in the report. The cases' numbers stay.
spec 'Is quick faster?' quick 'faster("quick", "slow")' 'figure "speedup" {}' '' >experiments/speed.md
runs_no_group && said '^claim C1 supported' && says '**supported**' && numbers >../now &&
	diff ../first ../now >"$out.claim"
[ $? -eq 1 ] && [ "$(grep -c '^>' "$out.claim")" -eq 1 ] && grep -q '^> .* stats.json$' "$out.claim"
ok 'a claim changes the judged study alone'
jq '.cases' build/stats.json >../cases
spec 'Is quick faster?' quick '' 'figure "speedup" {}' '' >experiments/speed.md
measures_nothing && jq '.cases' build/stats.json | diff - ../cases >"$out"
ok 'and not a number in it'

spec 'Is quick faster?' rapid '' 'figure "speedup" {}' '' >experiments/speed.md
runs_no_group && said '^  rapid is .* as fast as slow' && unnamed | diff ../unnamed - >"$out"
ok 'another name of a variant'

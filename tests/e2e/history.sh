#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What was measured before: `assay log` lists it, `assay diff` says what differs, and `assay gc`
# frees what no branch names, and nothing else.
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir study && cd study || exit 1
export HOME="$PWD/.." GIT_CONFIG_NOSYSTEM=1
make_tick tick.c
cat >build.ninja.lua <<'EOF'
study { name = "history" }
experiments "experiments/*"
EOF
mkdir experiments
experiment() { # NAME
	cat >"experiments/$1.lua" <<EOF
local tick = runner "tick_$1" { "tick.c", harness = false }
experiment "$1" {
    variants = { variant "a" { tick, args = { "300" } }, variant "b" { tick, args = { "400" } } },
    design   = { pairs = 2, aa_pairs = 1, warmups = 1, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
}
EOF
}
git_() {
	git -c user.name=n -c user.email=e@example.org -c init.defaultBranch=main "$@" >>"$out.git" 2>&1
}
printf 'build/\nresults/\nbuild.ninja\n.ninja_*\n' >.gitignore
experiment e
git_ init && git_ add . && git_ commit -m one || exit 1

# ---- two identities ----

ends 0 assay generate && ends 0 ninja report && ends 0 assay log e && said '1 identity with results'
ok 'one identity after the first report'
sed -i 's/scale = 1/scale = 2/' tick.c
ends 0 ninja report
old=$(assay log --json e | jq -r '.identities[] | select(.current | not) | .identity[:8]')
find . -path ./build/check -prune -o -type f -print0 | xargs -0 sha256sum >../before
ends 0 assay log e && said '2 identities with results' && said '^[0-9a-f]\{16\} (current), measured 20' &&
	said "^$old[0-9a-f]\{8\}, measured 20" && said '  b against a, wall_us: speedup 0.7' &&
	said 'session 1, .* UTC, commit [0-9a-f]\{12\}; .*2 pairs, 8 groups; complete' &&
	said 'commit [0-9a-f]\{12\}, dirty;'
ok 'the log has both, the current one marked, with estimates and sessions'
assay log --json e >"$out" && jq -e '.format == "assay-log-1" and (.identities | length == 2) and
	([.identities[] | .sessions[0].pairs] == [2, 2]) and
	(.identities[0].current and (.identities[1].current | not)) and
	all(.identities[].estimate.comparisons[0].speedup; . > 0.7 and . < 0.8)' "$out" >/dev/null
ok 'the same as JSON'

ends 0 assay diff e "$old" current && said '^  program of a: other content ([0-9a-f]\{12\} -> ' &&
	said '^  program of b: other content' && ! grep -q 'argument\|library\|CPU' "$out" &&
	said "regime is the same" && said 'results (unpaired: .* no verdict)' &&
	said '^  a, wall_us: median 30[0-9.]* µs (2 groups) -> 60[0-9.]* µs (2 groups); speedup 0.5'
ok 'the difference is the program, and what came of it'
assay diff --json e current "$old" >"$out" && jq -e '[.changes[].kind] == ["program", "program"] and
	.paired == false and (.treatments[0].speedup | . > 1.9 and . < 2.1)' "$out" >/dev/null
ok 'the other way round, as JSON'
ends 4 assay diff e "$old" 0f0f0f0f && said 'is no identity of case e-.*there are: ' &&
	ends 2 assay diff e "$old" && ends 4 assay log f
ok 'an identity or case that there is not'
sha256sum --check --quiet ../before >"$out" 2>&1
ok 'nothing was written'
plan=$(echo results/e-*/"$old"*/sessions/001/plan.json)
cp "$plan" ../plan.json && echo '{' >"$plan"
ends 0 assay log e && said '  no estimate: results/.*/plan.json' && said '  session 1, .*8 groups.*INVALID' &&
	said 'speedup 0.7' && cp ../plan.json "$plan"
ok 'results that cannot be analysed are told, the others all the same'

# ---- what no branch names ----

git_ commit -am two && git_ checkout -b other && experiment kept && git_ add . && git_ commit -m three &&
	ends 0 assay generate && ends 0 ninja report && git_ checkout main && experiment gone &&
	ends 0 assay generate && ends 0 ninja report && rm experiments/gone.lua && ends 0 assay generate &&
	[ "$(ls results | wc -l)" -eq 3 ] || exit 1
first=$(echo results/e-*/*/sessions/001 | cut -d' ' -f1)
touch -d '2 minutes ago' "$first/0099-ab-0.log.tmp.aZ19bc"
touch "$first/0098-ab-0.log.tmp.aZ19bd" # may be one that is being written
mkdir results/notes ../elsewhere && touch results/notes/mine ../elsewhere/precious
ln -s ../../elsewhere results/linked-0123456789
find results ../elsewhere -type f -exec sha256sum {} + | grep -v 'results/gone-' >../before

ends 2 assay gc && said 'say --yes' && said '^  branch other: 2$' && said '^  gone-.*: [0-9.]* [KM]iB, 1 session of 1 identity' &&
	! grep -q '^  e-\|^  kept-' "$out" && ends 0 assay gc --dry-run && [ "$(ls results | wc -l)" -eq 5 ]
ok 'without a yes it only lists what no branch names'
rows=$(git rev-parse HEAD other; git status --porcelain; cat .git/HEAD; find .git -name '*.lock')
git_ checkout -b broken && echo 'experiment {' >>experiments/e.lua && git_ commit -am broken && git_ checkout main
ends 4 assay gc --yes && said 'experiments/e.lua:[0-9]*: nothing was removed: branch broken: ' &&
	[ -d results/gone-* ]
ok 'a branch that cannot be evaluated stops it'
git_ branch -D broken
ends 0 assay gc --yes && said 'removed 1 case (.*) and 1 temporary file$' && [ ! -e results/gone-* ] &&
	[ -d results/kept-* ] && grep -v 'aZ19bc$' ../before | sha256sum --check --quiet >>"$out" 2>&1 &&
	[ "$rows" = "$(git rev-parse HEAD other; git status --porcelain; cat .git/HEAD; find .git -name '*.lock')" ]
ok 'removed is what was listed: not the other branch, links, strange folders, the repository'
ends 0 assay gc --yes && said 'nothing to remove'
ok 'once is enough'

git_ branch -D other
mkdir -p data && echo 3 >data/n && cat >experiments/more.lua <<'EOF'
local tick = runner "tick_more" { "tick.c", harness = false }
experiment "kept" {
    variants = { variant "a" { tick, args = { "1" } }, variant "b" { tick, args = { "2" } } },
    design   = { pairs = #glob "data/*" },
}
EOF
git_ checkout -b fresh && git_ add experiments && git_ commit -m four && git_ checkout main
ends 0 assay gc --dry-run && said 'nothing to remove'
ok 'a branch sees the untracked files that a checkout would leave in place'
git_ branch -D fresh

rm -rf .git
ends 0 assay gc --dry-run && said 'no git repository' && said '^  kept-'
ok 'without a repository the work tree alone counts'

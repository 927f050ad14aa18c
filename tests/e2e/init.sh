#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# assay init: each kind of study runs as it was written, in a folder with spaces and other letters.
# So that no verdict and no patience is needed, it is measured without its claims and with 2 pairs.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

PATH=/usr/bin:/bin # no interpreter that is a script itself: each start of one takes long
top=$PWD/'neue Prüfung'
mkdir "$top" && cd "$top" || exit 1

commit() {
	git -c user.name=me -c user.email=me@example.org commit -q -m 'a study'
}

has_benchmark() {
	echo '#include <benchmark/benchmark.h>' | c++ -E -x c++ - >/dev/null 2>&1
}

measures() { # KIND COMMAND…: the study in this folder
	sed -i -e '/^    claims /d' -e 's/pairs = 16, aa_pairs = 4/pairs = 2, aa_pairs = 1/' experiments/*
	kind=$1
	shift
	ends 0 "$@" && [ -s build/report/report.html ] && [ "$(logs)" -ge 8 ] && ! said '[1-9][0-9]* groups failed' ||
		{ ls -R >>"$out"; false; }
	ok "$kind: ninja report measures and writes the report"
}

for kind in $(assay init --list | awk '{ print $1 }'); do
	[ "$kind" != google-benchmark ] || has_benchmark || {
		echo "ok $kind # SKIP libbenchmark-dev is not installed"
		continue
	}
	folder="die Größe $kind"
	ends 0 assay init "$kind" "$folder" && said 'assay generate && ninja report' &&
		cd "$folder" && git init -q . && git add -A && commit && ends 0 assay generate && said '1 experiment, '
	ok "$kind: assay init, assay generate" || exit 1
	measures "$kind" ninja report
	git add -A && git ls-files >"$out" && said '^results/' && said '^.gitignore$' &&
		said '^README.md$' && said '^build.ninja.lua$' && ! said '^build/\|^build.ninja$'
	ok "$kind: results/ is in git, what is made anew is not"
	cd "$top" || exit 1
done

# ---- what is there stays ----

mkdir full && echo mine >full/README.md
before=$(tree full)
ends 4 assay init hello full && said "'full' is not empty ('README.md' is in it)" && [ "$(tree full)" = "$before" ]
ok 'a folder that is not empty is left alone'
mkdir clone && git init -q clone && (cd clone && ends 0 assay init && [ -s README.md ])
ok 'an empty clone is filled, with the first kind'
ends 2 assay init such && said "no kind of study 'such'" && [ ! -e such ]
ok 'an unknown kind is an error'
ends 0 assay init ./such && [ -s such/build.ninja.lua ]
ok 'a folder with a slash needs no kind'

# ---- the job ----

cat >tool <<'END_OF_FILE'
#!/bin/sh
[ "$1" != doctor ] || exit 0 # it takes two seconds
exec "$ASSAY_BIN" "$@"
END_OF_FILE
chmod +x tool
job() {
	ASSAY=$top/tool sh "$top/die Größe compare/ci.sh"
}
ends 0 job && ! said '\] measure'
ok 'the CI job ends well'
cd "$top/die Größe compare" || exit 1
sed -i 's/^    figures = .*/    claims = { faster("none", "wc") },/' experiments/compare.md
ends 4 job && said 'experiments/compare.md:'
ok 'and with exit code 4 where the spec is wrong'

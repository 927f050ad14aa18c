#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A study outside the repository, in a folder whose name has spaces and other letters, with the
# tool in another such folder and by its path alone: no installation, no PATH, no root.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

top=$PWD
folder="$top/eine Prüfung \$HOME & 'co' – データ"
copy_tool() { # FOLDER: sets tool
	mkdir -p "$1/build/bin"
	cp "$ASSAY_BIN" "$ASSAY_BIN-archive" "$1/build/bin/"
	cp -r "$ASSAY_ROOT/kernels" "$ASSAY_ROOT/figures" "$1"
	tool=$1/build/bin/assay
}
copy_tool "$top/das \$Werkzeug's Öl"
make_study "$folder"
cat >>"$folder/experiments/e.lua" <<'END_OF_FILE'

experiment "words" {
    variants = { variant "shell" { program "sh" { "sh" }, args = { "-c", "cat >/dev/null" }, stdin = input "texts/ein Wört" },
                 variant "true"  { program "true" { "true" } } },
    design   = { pairs = 1, aa_pairs = 1, warmups = 0, timeout = 60 },
    figures  = { figure "runs" {}, figure "speedup" {} },
}
END_OF_FILE
mkdir "$folder/texts"
echo 'ein Text' >"$folder/texts/ein Wört"
cp -r "$folder" "$top/fresh"
cd "$folder" || exit 1

# ---- this user ----

bare() {
	env -i PATH=/usr/bin:/bin ASSAY_LOCK_DIR="$ASSAY_LOCK_DIR" "$@"
}
ends 0 bare "$tool" generate && said 'build.ninja: 2 experiments, 2 cases'
ok 'assay generate by its path, with next to no environment' || exit 1
ends 0 bare ninja report && [ "$(logs)" -eq 12 ] && [ -s build/report/report.html ] &&
	[ -s build/report/figures/words-speedup.svg ]
ok 'ninja report measures and draws'
ends 0 bare ninja report && ! said '\] measure'
ok 'and has nothing to do after that'
ends 0 bare "$tool" status && said 'fresh' && ! said 'stale'
ok 'assay status'
case=$(cd build/plan && ls e-*.json)
ends 0 bare "$tool" plan "${case%.json}"
ok 'assay plan'
ends 0 bare ninja bundle && ends 0 bare "$tool" verify build/bundle/tried.tar.zst
ok 'ninja bundle, assay verify'
! grep -r -l -F -e "$folder" build/report build/stats.json results
ok 'neither report nor records name the study'\''s folder'

ln -s "$tool" "$top/assay"
ends 0 bare env PATH="$top:/usr/bin:/bin" assay generate && ends 0 bare ninja report && ! said '\] measure'
ok 'by a link in PATH it finds its own files too'

cd "$top" || exit 1
ends 4 bare "$tool" generate && said 'build.ninja.lua'
ok 'in a folder that is no study it says so'

# ---- another user ----

as_other() {
	setpriv --reuid=65534 --regid=65534 --clear-groups env -i PATH=/usr/bin:/bin \
		HOME=/nonexistent ASSAY_LOCK_DIR="$ours/lock" "$@"
}
theirs() {
	ours=$(mktemp -d) || exit 1
	trap 'rm -rf "$ours"' EXIT
	chmod 755 "$ours"
	mkdir "$ours/lock"
	copy_tool "$ours/tool's place"
	cp -r "$top/fresh" "$ours/théirs 1"
	chown -R 65534:65534 "$ours/théirs 1" "$ours/lock"
	cd "$ours/théirs 1" || exit 1
	ends 0 as_other "$tool" generate && ends 0 as_other ninja report && [ "$(logs)" -eq 12 ] &&
		[ -s build/report/figures/words-speedup.svg ]
	ok 'another user, without rights to the tool and without a home, measures too'
	ends 0 as_other ninja report && ! said '\] measure'
	ok 'and has nothing to do after that'
}
if [ "$(id -u)" -eq 0 ]; then
	theirs
else
	echo 'ok another user # SKIP only root can be one'
fi

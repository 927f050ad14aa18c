#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A bundle in a reviewer's hands: its results computed again, byte for byte, and measured again. A
# kernel that was slowed takes its claim with it, and no other; nothing is left behind.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"
. "$ASSAY_ROOT/tests/e2e/lib/probe.sh"

top=$PWD
export TMPDIR="$top/scratch"
mkdir -p scratch study/experiments
# As much of the tool as this needs, so that what is packed again and again is small.
export ASSAY_HOME="$top/home"
mkdir home && (cd "$ASSAY_ROOT" && cp -R bootstrap kernels figures "$ASSAY_HOME") || exit 1
for name in base quick brisk; do
	make_tick "study/$name.c"
done
cat >study/build.ninja.lua <<'END_OF_FILE'
study { name = "demo" }
experiments "experiments/*"
END_OF_FILE
spec() { # NAME FIGURES FORMS
	cat <<END_OF_FILE
local base = runner "base" { "base.c", harness = false }
local $1 = runner "$1" { "$1.c", harness = false }

experiment "$1" {
    variants = { variant "base" { base, args = { "200" } }, variant "$1" { $1, args = { "100" } } },
    design   = { pairs = 10, aa_pairs = 0, warmups = 0, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
    claims   = { faster("$1", "base", { by = 1.5 }) },
    figures  = { $2 },
    forms    = { $3 },
}
END_OF_FILE
}
spec quick 'figure "ratios" {}' 'few = { design = { pairs = 2, aa_pairs = 0, warmups = 0 }, claims = {} },
                 never = { claims = {} }' >study/experiments/quick.lua
{
	printf '# Brisk\n\n```lua\n'
	spec brisk '' ''
	printf '```\n\n{{ at():compare("brisk").sentence }}.\n'
} >study/experiments/brisk.md
cd study || exit 1
ends 0 assay generate && ends 0 ninja quick-few && ends 0 ninja bundle &&
	ends 0 assay verify build/bundle/demo.tar.zst && said 'study demo, forms quick-few$'
ok 'the study is measured and packed, with the form that was measured and no other' || exit 1
cd "$top" && mv study/build/bundle/demo.tar.zst . || exit 1
# What the author has is not what the reviewer has.
mv study elsewhere

nothing_left() {
	[ -z "$(ls -A "$TMPDIR")" ]
}

# ---- as it is ----

ends 0 assay reanalyse demo.tar.zst && said 'all of it is identical' && said 'statistics *5 of 5' &&
	said 'report *12 of 12' && said 'demo with its forms quick-few' && nothing_left
ok 'computed again from the raw records it is the same'
ends 2 assay reproduce --smoke demo.tar.zst && said 'launches, again and again' && said 'build/runners/quick 100' &&
	said 'nothing was run' && said 'say --yes' && nothing_left
ok 'without a terminal it says what it would run, and runs nothing'
ends 0 assay reproduce --yes demo.tar.zst && said '^summary: reproduced' && ! grep -q 'smoke' "$out" &&
	said 'C1 supported there, supported here: holds' && said 'C2 supported there, supported here: holds' &&
	said 'build/runners/quick (quick): the same loaded content' && said 'cpu.model: .*(both)' && nothing_left
ok 'measured again every claim holds'

# ---- unpacked, as a stranger has it ----

ends 0 tar -I zstd -xf demo.tar.zst && cd demo && ends 0 sha512sum -c --quiet manifest-sha512.txt &&
	sh -n review.sh && grep -q '^gcc=' packages.txt && grep -q '^FROM ' Containerfile &&
	ends 0 sed -n '/^    /p' README.md && [ "$(head -n 1 "$out")" = '    sh review.sh' ]
ok 'tar unpacks it, and its README begins with one command'
(cd data/tool && ./bootstrap --packages tool) >"$out" && grep -q '^ninja-build$' "$out"
ok 'the tool in it tells its packages'

cp -R data/study "$top/recorded" && cd "$top/recorded" && before=$(contents results) &&
	ends 0 assay generate && ends 0 env ASSAY_MACHINE=recorded ninja report &&
	said 'recorded on another machine and not measured here: 2 of 2 cases' &&
	grep -q '^All numbers were recorded on another machine' build/report/report.md &&
	[ "$(contents results)" = "$before" ]
ok 'with ASSAY_MACHINE=recorded the report is made in place, and says whose numbers they are'
cd "$top/demo" || exit 1

# Manifests as they would be, had it been packed so.
list_again() {
	find data -type f -exec sha512sum {} + | sort -k 2 >manifest-sha512.txt
	find . -maxdepth 1 -type f ! -name tagmanifest-sha512.txt -printf '%f\n' | sort | xargs sha512sum >tags
	grep -v ' tags$' tags >tagmanifest-sha512.txt
	rm tags
}
first=$(find data/study/build/stats -name 'brisk*.json')
echo ' ' >>"$first"
ends 3 assay reanalyse . && said "${first#data/study/build/stats/}: not what the manifest says" && nothing_left
ok 'a changed file is refused'
cp data/study/build/stats.json kept
sed -i 's/"verdict": "supported"/"verdict": "SUPPORTED"/' data/study/build/stats.json
list_again
ends 3 assay reanalyse . && said 'differs: build/stats.json, line' && said 'SUPPORTED' &&
	said "differs: ${first#data/study/}" && said '2 files are not what the raw records give' && nothing_left
ok 'results that do not come from the records are named'
mv kept data/study/build/stats.json

plant() { # STUDY.JSON
	cp "$1" kept && sed -i 's|"case_id": "quick[^"]*"|"case_id": "../../../../../../planted"|' "$1" && list_again &&
		ends 4 assay reanalyse . && said 'cannot be that of a file' && nothing_left &&
		ends 4 assay reproduce --yes . && [ -z "$(find "$top" -name 'planted*')" ] && mv kept "$1"
}
plant data/study/build/form/quick-few/study.json && plant data/study/build/study.json
ok 'names that lead elsewhere are refused'
ends 4 assay reanalyse "$top/nothing" && ends 4 assay reproduce --yes "$first"
ok 'what is no bundle is refused'

# ---- specs that are not those of the results ----

cd "$top" && rm -r demo && tar -I zstd -xf demo.tar.zst && cd demo || exit 1
sed -i 's/args = { "100" }/args = { "150" }/' data/study/experiments/quick.lua
list_again
ends 2 assay reproduce . && said 'build/runners/quick 150' && said 'BUT THE SPECS ARE NOT THOSE OF THE RESULTS' &&
	grep -A 1 'BUT THE SPECS' "$out" | grep -q 'build/runners/quick 100'
ok 'what would run is told from the specs, and that the results are of something else'

# ---- a claim that holds no longer ----

cd "$top" && rm -r demo && tar -I zstd -xf demo.tar.zst && cd demo || exit 1
sed -i 's/static double scale = 1;/static double scale = 1.8;/' data/study/quick.c
grep -q 'scale = 1.8' data/study/quick.c
list_again
mkdir -p "$top/sysroot/proc" &&
	sed 's/^model name.*/model name\t: Planted 9000/' /proc/cpuinfo >"$top/sysroot/proc/cpuinfo"
ASSAY_SYSROOT="$top/sysroot" "$ASSAY_BIN" reproduce --smoke --yes --json . >"$top/result" 2>"$out" </dev/null
[ $? -eq 3 ] && jq -e '.summary == "partly reproduced" and .exit_code == 3 and
	([.claims[] | select(.outcome == "flips") | .experiment] == ["quick"]) and
	([.claims[] | select(.outcome == "holds") | .experiment] == ["brisk"]) and
	([.programs[] | select(.same | not) | .program] == ["build/runners/quick"]) and
	(.programs[] | select(.program == "build/runners/quick") | .cause | test("sources")) and .smoke' \
	"$top/result" >/dev/null
ok 'a slowed kernel takes its claim with it, and no other'
jq -e '([.machine[] | select(.name == "cpu.model") | .here == "Planted 9000" and (.same | not)] == [true]) and
	([.regime[] | select(.name == "kernel")] | length == 1)' "$top/result" >/dev/null
ok 'another processor and another regime are told'
ends 2 assay reproduce --yes --only nothing . && said "no experiment 'nothing'" && nothing_left
ok 'an experiment that is not there'

# ---- interrupted ----

sed -i 's/puts("CHECK 1");/for (;;) ;/' data/study/quick.c
list_again
"$ASSAY_BIN" reproduce --yes --only quick . >"$top/told" 2>&1 </dev/null &
pid=$!
wait_until grep -q '^demo/quick' "$top/told" && kill -INT "$pid"
wait "$pid"
code=$?
cat "$top/told" >"$out"
[ "$code" -eq 130 ] && [ -z "$(running_from "$TMPDIR")" ] && nothing_left
ok 'Ctrl-C ends it and all that it started'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The bundle of a measured study: the same results give the same bytes whatever the surroundings,
# other tools can read it, and `assay verify` names what was changed in it.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

top=$PWD

# What may be in no bundle: a variable of the environment, the home folder, the name of the host.
# Made up as we go, since this file is in the bundle.
HOME=$top
secret=planted-$$-secret
export HOME "PLANTED_$$=$secret"
host=planted-$$-host
named() { # COMMAND…
	unshare -u sh -c 'echo "$0" >/proc/sys/kernel/hostname && exec "$@"' "$host" "$@"
}
named true 2>/dev/null || { # not allowed to: the real one
	host=$(uname -n)
	named() {
		"$@"
	}
}

make_study study
long=$(printf '%0200d' 0)
cat >>study/experiments/e.lua <<END_OF_FILE
experiment "f" {
    variants = {
        variant "a" { fast, args = { "a", input "a text ü", input "$long" } },
        variant "b" { fast, args = { "b" } },
    },
    design   = { pairs = 1, aa_pairs = 0, warmups = 0, timeout = 60 },
    figures  = { figure "runs" {} },
}
END_OF_FILE
echo 'an input' >'study/a text ü'
echo 'another' >"study/$long"
cd study || exit 1
ends 0 assay generate && ends 0 named ninja bundle && said 'build/bundle/tried.tar.zst' &&
	cp build/bundle/tried.tar.zst "$top/first"
ok 'the study is measured and packed' || exit 1

# ---- the same bytes ----

same_bytes() { # WHAT: by the status before it, and what is in build/bundle
	[ $? -eq 0 ] && cmp "$top/first" build/bundle/tried.tar.zst
	ok "$1"
}
ends 0 ninja bundle
same_bytes 'again: the same bytes'

elsewhere() (
	umask 077
	HOME=/nonexistent TZ=Asia/Tokyo LC_ALL=C.UTF-8 LANG=de_DE.UTF-8 USER=other COLUMNS=40
	export HOME TZ LC_ALL LANG USER COLUMNS
	"$@"
)
rm build/bundle/tried.tar.zst
ends 0 elsewhere assay bundle
same_bytes 'with another umask, time zone, language and home'
rm -r build build.ninja
ends 0 elsewhere assay generate && ends 0 elsewhere ninja bundle && ! said 'block 1 of'
same_bytes 'with everything derived made again under them'
cp -r . "$top/another copy"
cd "$top/another copy" || exit 1
find . -exec touch -h -d 2001-01-01 {} +
ends 0 assay bundle
same_bytes 'from a copy in another folder, with other times'
echo ' ' >>fast.c
ends 0 assay bundle && ! cmp -s "$top/first" build/bundle/tried.tar.zst
ok 'but not from one with another source'
cd "$top/study" || exit 1
ends 0 env SOURCE_DATE_EPOCH=86400 "$ASSAY_BIN" bundle --output "$top/dated" &&
	TZ=UTC tar -I zstd -tvf "$top/dated" >"$out" && ! grep -v ' 1970-01-02 00:00 ' "$out"
ok 'SOURCE_DATE_EPOCH is the time of all files'

# ---- what is in it ----

cd "$top" || exit 1
mkdir unpacked
ends 0 tar -C unpacked -I zstd -xf first && bag=unpacked/$(ls unpacked)
ok 'tar unpacks it'
cd "$bag" || exit 1
ends 0 sha512sum --strict -c manifest-sha512.txt && ! grep -v ': OK$' "$out"
ok 'sha512sum -c finds every file as the manifest says'
ends 0 sha512sum --strict -c tagmanifest-sha512.txt && said '^manifest-sha512.txt: OK'
ok 'and the manifest itself'
[ "$(find data -type f | wc -l)" -eq "$(wc -l <manifest-sha512.txt)" ]
ok 'the manifest lists every file'
(cd "$top/study" && find results build/report fast.c 'a text ü' "$long" build.ninja.lua experiments -type f) |
	grep -v -e '^build/report/gate$' -e '^build/report/exit_code$' >"$out"
while read -r file; do
	cmp "$top/study/$file" "data/study/$file" || echo "$file" >>"$top/missing"
done <"$out"
[ -s "$out" ] && [ ! -e "$top/missing" ]
ok 'every record, source and file of the report is in it'
[ -e "data/study/$long" ] && [ -e 'data/study/a text ü' ]
ok 'the names with other letters and of 200 bytes too'

absent() { # TEXT: in no file and no name
	! grep -raF -e "$1" . >"$out" && ! find . | grep -F -e "$1" >>"$out"
}
absent "$secret" && absent "PLANTED_$$"
ok 'no variable of the environment is in it'
absent "$top"
ok 'no path of the home folder'
[ ${#host} -lt 8 ] || absent "$host" # a shorter one may be a word
ok 'no name of the host'

crate=data/ro-crate-metadata.json
rules() { # FILTER [OPTION…]
	rules_filter=$1
	shift
	ends 0 jq -r -L "$ASSAY_ROOT/tests/crate" "$@" "$rules_filter" $crate
}
rules 'include "process_run_crate"; breaches' && [ ! -s "$out" ]
ok 'its crate keeps the rules of RO-Crate and Process Run Crate'
rules '[.["@graph"][] | select(.["@type"] == "CreateAction") | .result["@id"]] | sort[] | sub("/$"; "")' &&
	(cd data && find study/results -path '*/sessions/*' -type d | sort) | cmp - "$out"
ok 'it tells an action a session'
rules 'include "broken"; trials' && ! grep -v '^ok ' "$out" && [ "$(wc -l <"$out")" -gt 30 ]
ok 'the checker finds each rule broken where it is broken'
rules 'include "broken"; untried($text)' --rawfile text "$ASSAY_ROOT/tests/crate/process_run_crate.jq" &&
	[ ! -s "$out" ]
ok 'no rule is without such a trial'

# ---- verify ----

cd "$top" || exit 1
name=${bag##*/}
ends 0 assay verify first && said 'verified: .* study tried'
ok 'assay verify passes'

pack() {
	rm -f changed
	tar -C unpacked --format=pax --sort=name --owner=0 --group=0 -I zstd -cf changed "$name"
}
tells() { # CODE FILE, after the bag was changed
	pack && ends "$1" assay verify changed && said "$2"
}
tells 0 'verified'
ok 'packed by tar it passes too'

log=$(cd "$bag" && find data/study/results -name '*-ab-0.log' | sort | head -n 1)
changed() { # FILE: one byte of it
	cp "$bag/$1" kept
	byte=f
	[ "$(head -c 4 kept | tail -c 1)" != f ] || byte=0
	printf %s "$byte" | dd of="$bag/$1" bs=1 seek=3 conv=notrunc 2>/dev/null
	[ "$(cmp -l "$bag/$1" kept | wc -l)" -eq 1 ] && tells 3 "$1"
	ok "one byte changed in $1"
	cp kept "$bag/$1"
}
changed "$log"
changed data/study/build/report/report.md
changed data/study/fast.c
changed "data/study/a text ü"
changed data/study/build/stats.json
changed manifest-sha512.txt
changed README.md

rm "$bag/$log"
tells 3 "$log"
ok 'a record left out'
(cd unpacked && tar -I zstd -xf ../first)
echo 'not listed' >"$bag/data/study/results/more.log"
tells 3 'results/more.log'
ok 'a file put in'
rm "$bag/data/study/results/more.log"
ln -s /etc/passwd "$bag/data/link"
tells 4 'data/link'
ok 'a link put in'
rm "$bag/data/link"
head -c 20000 first >short
ends 4 assay verify short && said 'short'
ok 'a bundle cut short'
ends 4 assay verify nothing && said 'nothing'
ok 'no file at all'
tells 0 'verified'
ok 'put back: it passes again'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Each block of commands of the README, as it is written, in the order in which it is read: in a
# copy of the repository, with the tool that is built here.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

here=$PWD
mkdir clone bin
(cd "$ASSAY_ROOT" && tar -cf - --exclude=./results --exclude=./.git --exclude=./build/asan \
	--exclude=./build/tests --exclude=./build/session --exclude=./build/report .) | tar -xf - -C clone
# The README speaks of the vector alone. Nobody needs a verdict of it here, so 2 pairs are enough.
find clone/experiments -type f ! -name 'vector*' -delete
sed -i -e '/^    claims /d' -e 's/design  = { pairs = 10, aa_pairs = 4, warmups = 2, samples = 10/design  = { pairs = 2, aa_pairs = 1, warmups = 1, samples = 2/' \
	-e 's/^    sweep .*250000 } },/&\n    design  = { pairs = 2, aa_pairs = 1, warmups = 1, samples = 2 },/' clone/experiments/vector*
ln -s "$ASSAY_BIN" bin/assay
PATH=$here/bin:$PATH

# The blocks, one a file; a fence of more backticks ends at one of as many.
awk -v folder="$here" '
	/^```+sh$/ && !fence { fence = $0; sub(/sh$/, "", fence); file = folder "/block" ++count; next }
	$0 == fence { fence = ""; close(file); next }
	fence { print > file }' "$ASSAY_ROOT/README.md"
sed -i "s#/tmp/first-study#'$here/first-study'#g" block*

block() { # FOLDER-OR-PATTERN…: runs the next block there, in which all patterns stand
	number=$((${number-0} + 1))
	folder=$1
	shift
	for pattern; do
		grep -q -e "$pattern" "block$number" || {
			echo "block $number is not the one with '$pattern'" >"$out"
			return 1
		}
	done
	ends 0 sh -c "cd '$folder' && . '$here/block$number'"
}

mkdir anywhere
block anywhere 'assay compare' && said 'grep takes [0-9.]* times as long as wc\|no verdict on grep'
ok 'two commands are compared'
block clone '^./bootstrap report$' && said '^report: build/report/report.html' &&
	said 'fused is [0-9.]* times as fast as two_loops\|no verdict on fused' && [ -s clone/build/report/report.html ]
ok 'the reference study is measured'
number=$((number + 1))
[ "$(cat "block$number")" = './bootstrap test' ]
ok 'the tests are run by what runs this one'
block . 'mkdir' 'experiment "compress"' && block first-study '^assay generate$' '^ninja report$' &&
	said 'default takes [0-9.]* times as long as fast\|no verdict on default' && [ -s first-study/build/report/report.html ]
ok 'the first experiment'
for later in block*; do
	[ "${later#block}" -le "$number" ] || echo "$later is not tried" >>"$out"
done
[ "$(ls block* | wc -l)" -eq "$number" ]
ok 'there is no other block'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The papers in docs/papers take every number from the study; a name that is not there stops the
# build at its line. No TeX is needed.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

cp -r "$ASSAY_ROOT/docs/papers" study
rm -rf study/build study/build.ninja study/results
# Neither a TeX of this machine nor its lack is what is tested: a stand-in that only notes its call.
mkdir bin
printf '#!/bin/sh\necho "typeset $*"\ntouch build/paper.pdf\n' >bin/pdflatex
chmod +x bin/pdflatex
PATH=$PWD/bin:$PATH
cd study || exit 1

# The number that results.tex has for a name.
number() { # NAME
	assay paper --names | awk -F '\t' -v name="$1" '$1 == name { print $2 }'
}

# Whether a paper that has another name in that line stops the build there, and only that.
stops_at() { # PAPER LINE
	cp "$1" "$1.kept"
	sed -i "$2s,default/speedup,default/sped-up," "$1"
	ends 1 ninja paper && said "$1:$2: the study has no number \"compress/-/default/sped-up\"" &&
		said 'did you mean "compress/-/default/speedup"' &&
		[ "$(grep -c '^assay: ' "$out")" -eq 1 ]
	stopped=$?
	mv "$1.kept" "$1"
	return $stopped
}

line_of() { # PAPER
	grep -n 'default/speedup ' "$1" | head -n 1 | cut -d : -f 1
}

ends 0 assay generate && ends 0 ninja paper && said 'typeset .*latex/paper.tex'
ok 'both papers are made from nothing by one target' || exit 1

speedup=$(number compress/-/default/speedup)
[ -n "$speedup" ] && tr '\n' ' ' <build/paper.md | grep -q -F "level 1 is $speedup, with" &&
	grep -q 'Each group of samples is a process of its own' build/paper.md &&
	! grep -q -e '{{' -e '}}' build/paper.md
ok 'the Markdown has the numbers and the methods sentence'

touch markdown/paper.md latex/paper.tex # the same text, and the same papers
ends 0 ninja paper && said 'typeset' && said 'build/paper.md' &&
	ends 0 ninja paper && ! said 'typeset' && ! said 'build/paper'
ok 'made once, they are not made again'

stops_at markdown/paper.md "$(line_of markdown/paper.md)"
ok 'a wrong name in the Markdown paper stops the build with its line and the right name'

line=$(grep -n '{compress/-/default/speedup}' latex/paper.tex | cut -d : -f 1)
stops_at latex/paper.tex "$line" && ! said '^typeset'
ok 'a wrong name in the LaTeX paper stops the build with its line, before TeX'

# A name gets stale: the experiment's variant is called otherwise from now on.
sed -i 's/"default"/"six"/' experiments/compress.lua
ends 1 ninja -k 0 paper && said 'markdown/paper.md:[0-9]*: .*"compress/-/default/median-a"' &&
	said 'latex/paper.tex:[0-9]*: .*"compress/-/default/median-a"'
ok 'renaming a variant stops both papers'

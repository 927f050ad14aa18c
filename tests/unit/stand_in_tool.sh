#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Stands in for the tool in test_graph.c: writes, in the folder of the study, what the steps
# write, and notes each call in the file `calls`. Builtins alone, because Ninja calls it often.
nl='
'

joined() { # FILE…: what they hold, in $text
	text=
	for from; do
		while IFS= read -r line; do
			text=$text$line$nl
		done <"$from" || exit 1
	done
}

put() { # FILE FROM…: writes it where that changes it
	to=$1
	shift
	joined "$@"
	fresh=$text
	if [ -e "$to" ]; then
		joined "$to"
		[ "$text" != "$fresh" ] || return 0
	fi
	[ -d "${to%/*}" ] || mkdir -p "${to%/*}"
	printf '%s' "$fresh" >"$to"
}

if [ "$1" = lock ]; then
	shift 3
	echo "lock $1" >>calls
	exec "$@"
fi
echo "$*" >>calls
case $* in
'check '*)
	for case in "$2-n=0" "$2-n=1"; do
		put "build/identity/$case" build/runner "input-$2"
	done
	;;
'measure '*)
	put "build/session/$2" "build/identity/$2"
	put "results/$2" "build/identity/$2"
	;;
'analyse --edge '*)
	put "build/stats/$3.json" "build/session/$3"
	put "build/samples/$3.csv" "build/session/$3"
	;;
'analyse --study')
	set -- build/study.json
	for spec in specs/first specs/second specs/third; do
		[ ! -e "$spec" ] ||
			set -- "$@" "build/stats/${spec#*/}-n=0.json" "build/stats/${spec#*/}-n=1.json"
	done
	put build/stats.json "$@"
	;;
'plot '*)
	for kind in svg pdf png csv gnuplot; do
		put "build/report/figures/$2-$3.$kind" build/stats.json
	done
	;;
report)
	for file in report.html report.md results.tex summary.csv summary.txt first.html second.html; do
		put "build/report/$file" build/stats.json specs/*
	done
	;;
'report --gate')
	[ ! -e refuted ] || exit 3
	put build/report/gate
	;;
*)
	put build/bundle/study.tar.zst
	;;
esac

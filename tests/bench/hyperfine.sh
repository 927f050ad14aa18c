#!/bin/sh
# tests/bench/hyperfine.sh [COMPARISONS [ROUNDS]]
#
# Assay beside hyperfine, on the same programs in one run: what each adds to a process, and what
# each says of programs whose difference is known. Prints the tables of docs/comparison.md. Some
# 15 minutes with the default of 40 COMPARISONS and 40 ROUNDS; no part of the test suite.
#
# Both get as many runs of each program: a comparison of Assay is 16 pairs and 4 A/A pairs, 20 runs
# of each in the mean; hyperfine gets 20 of one and then 20 of the other, as it does them. Its
# times go through Welch's t test at 5 %.
set -eu
LC_ALL=C
export LC_ALL

root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
assay=$root/build/bin/assay
comparisons=${1-40} rounds=${2-40}
for need in hyperfine jq cc "$assay"; do
	command -v "$need" >/dev/null || {
		echo "hyperfine.sh: needs $need" >&2
		exit 1
	}
done
folder=$(mktemp -d)
disturber=
trap '[ -z "$disturber" ] || kill "$disturber"; cd / && rm -rf "$folder"' EXIT
cd -- "$folder"
cc -O2 -D_GNU_SOURCE -o processes "$root/tests/bench/processes.c"
cp processes same
cp /bin/true true1
cp true1 true2
count=$(./processes calibrate 20)

now_ms() {
	date +%s%N | awk '{ printf "%.3f\n", $1 / 1e6 }'
}


# ---- what is added to a process ----

# By the wall time of the whole: of many runs less that of few, over the runs between, so that
# starting the tool and what it prints at the end stay out.
took() { # COMMAND…
	began=$(now_ms)
	"$@" >/dev/null 2>&1
	echo "$(now_ms) $began" | awk '{ print $1 - $2 }'
}
with_hyperfine() { # RUNS PROGRAM
	hyperfine -N --style none --warmup 0 --runs "$1" "$2"
}
hyperfine_takes() { # RUNS PROGRAM
	few=$(took with_hyperfine 20 "$2")
	many=$(took with_hyperfine $(($1 + 20)) "$2")
	echo "$many $few $1" | awk '{ print ($1 - $2) / $3 }'
}

# By the records: from the first start to the last, over the launches between.
assay_takes() { # FOLDER
	grep -h '^started_ns=' "$1"/results/*/*/sessions/001/*-ab-*.log | cut -d = -f 2 | sort -n |
		awk 'NR == 1 { first = $1 } END { print ($1 - first) / (NR - 1) / 1e6 }'
}

# One round of all: they take turns, because the machine changes.
added_round() { # RUNS PROGRAM COPY
	bare=$(./processes spawn "$1" $2)
	with_record=$(./processes spawn-keep "$1" records $2)
	seen_hyperfine=$(hyperfine -N --style none --runs "$1" --export-json h.json "$2" >/dev/null 2>&1 &&
		jq '1000 * .results[0].median' h.json)
	rm -rf kept
	seen_assay=$("$assay" compare --keep kept --quiet --json --aa-pairs 0 --pairs $(($1 / 2)) "$2" "$3" 2>/dev/null |
		jq '.stats.cases[].metrics[0].items[0].treatments[0].median / 1000')
	echo "$bare $seen_hyperfine $seen_assay $(hyperfine_takes "$1" "$2") $(assay_takes kept) $with_record" | awk '{
		print $2, $3 - $2, $4 - $2, $5 - $1, $6 - $7, $7 - $1 }'
}

# The median of each column, with the order statistics that hold it with 95 %: the rounds differ by
# more than what is looked for.
medians() {
	awk '{ for (i = 1; i <= NF; i++) x[i, NR] = $i }
		END { for (i = 1; i <= NF; i++) {
			for (k = 2; k <= NR; k++) {
				v = x[i, k]
				for (j = k - 1; j > 0 && x[i, j] > v; j--) x[i, j + 1] = x[i, j]
				x[i, j + 1] = v
			}
			from = int((NR - 1.96 * sqrt(NR)) / 2)
			if (from < 1) from = 1
			printf "%s %s %s ", x[i, int((NR + 1) / 2)], x[i, from], x[i, NR + 1 - from]
		} print "" }'
}

added_row() { # WHAT ROUNDS RUNS PROGRAM COPY
	round=0
	while [ "$round" -lt "$2" ]; do
		round=$((round + 1))
		added_round "$3" "$4" "$5"
	done | medians | awk -v what="$1" '{
		printf "| %s | %.2f ", what, $1
		for (i = 4; i <= NF; i += 3) printf "| %.2f [%.2f, %.2f] ", $i, $(i + 1), $(i + 2)
		print "|" }'
}

mkdir records
echo '| program, ms | alone | hyperfine says more by | Assay says more by | hyperfine takes more by | Assay takes more by | and to keep the record |'
echo '|---|---|---|---|---|---|---|'
added_row true "$rounds" 20 ./true1 ./true2
added_row '20 ms' "$rounds" 10 "./processes work $count" "./same work $count"

# ---- what is said ----

assay_says() { # COMMAND COMMAND
	"$assay" compare --quiet --json "$1" "$2" 2>/dev/null |
		jq -r '.stats.cases[].metrics[0].items[0].comparisons[0].verdict'
}
hyperfine_says() { # COMMAND COMMAND
	hyperfine -N --style none --warmup 1 --runs 20 --export-json h.json "$1" "$2" >/dev/null 2>&1
	jq -r '"a,b", ([.results[0].times, .results[1].times] | transpose[] | @csv)' h.json >h.csv
	"$assay" analyse --csv h.csv --a a --b b --unpaired --json | jq -r '
		([.results[] | select(.method == "Welch'\''s t of the values")][0].p) as $p
		| if $p == null or $p >= 0.05 then "inconclusive"
		elif .columns[1].mean > .columns[0].mean then "slower" else "faster" end'
}

said_row() { # WHAT B
	a="./processes work $count"
	i=0
	: >said.assay
	: >said.hyperfine
	while [ "$i" -lt "$comparisons" ]; do
		assay_says "$a" "$2" >>said.assay
		hyperfine_says "$a" "$2" >>said.hyperfine
		i=$((i + 1))
	done
	for tool in assay hyperfine; do
		for word in faster slower; do
			grep -c "$word" said.$tool || true
		done
	done | paste -s -d ' ' | awk -v what="$1" -v n="$comparisons" '{
		printf "| %s | %d | %d | %d | %d | %d |\n", what, n, $1, $2, $3, $4 }'
}

echo
echo '| B | comparisons | Assay: faster | slower | hyperfine and Welch: faster | slower |'
echo '|---|---|---|---|---|---|'
slowed=$(echo "$count" | awk '{ printf "%d", $1 * 1.02 }')
said_row 'a copy of A' "./same work $count"
said_row '2 % more work' "./same work $slowed"
./processes disturb 7 &
disturber=$!
said_row 'a copy of A, beside a disturber' "./same work $count"
said_row '2 % more work, beside a disturber' "./same work $slowed"

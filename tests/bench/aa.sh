#!/bin/sh
# tests/bench/aa.sh [SESSIONS [FOLDER]]
#
# What Assay says of programs whose difference is known: the same program under two names, and the
# same program given exactly 1, 2 and 5 % more work. SESSIONS (default 200) sessions each of 16
# pairs and 4 A/A pairs of a short kernel; beside them as many times the same number of runs the
# usual way: all of A, then all of B, Welch's t test at 5 %. Prints a table. Some 20 minutes for 200
# on a quiet machine; no part of the test suite. Everything is measured under the machine's lock.
#
# The study is made in FOLDER (default: a temporary one, removed at the end) and can be looked at
# there; a second call goes on with what is there.
#
# Exit code 1 when the same program is said to be faster or slower more often than a true 5 % would
# be in 98 of 100 such tables.
set -eu
LC_ALL=C
export LC_ALL

root=$(cd -- "$(dirname -- "$0")/../.." && pwd)
assay=$root/build/bin/assay
kernel=$root/build/runners/vector_lab

pairs=16 aa_pairs=4 samples=5 n=1000 iters=2000
slow='0 1 2 5' # in percent of the work

more_iters() { # PERCENT
	echo $((iters + iters * $1 / 100))
}

# ---- Assay's way ----

write_study() {
	cp -- "$kernel" ./vector_lab
	mkdir -p experiments
	cat >build.ninja.lua <<-END
		study { name = "aa", title = "Programs whose difference is known" }
		program "lab" { "./vector_lab" }
		experiments "experiments/*"
	END
	cat >experiments/known.lua <<-END
		local function lab(iters)
		    return { "lab", args = { "--kernel=fused", "--n=$n", "--iters=" .. iters,
		        "--samples=$samples", "--warmup-samples=1" } }
		end
		local numbers = {}
		for i = 1, $sessions do numbers[i] = i end
		for _, percent in ipairs { $(echo "$slow" | tr ' ' ,) } do
		    experiment("slower" .. percent) {
		        question = "Is a program with " .. percent .. " % more work slower?",
		        variants = { variant "a" (lab($iters)),
		            variant "b" (lab($iters + $iters * percent // 100)) },
		        sweep = { session = numbers },
		        design = { pairs = $pairs, aa_pairs = $aa_pairs },
		        reader = "protocol",
		        correct = { check = "equal" },
		    }
		end
	END
}

# verdict and spread of each session of one slowdown
verdicts() { # PERCENT
	for stats in build/stats/slower"$1"-*.json; do
		case_id=$(basename "$stats" .json)
		verdict=$(jq -r '.metrics[0].items[0].comparisons[0].verdict' "$stats")
		can=$("$assay" power "$case_id" --json | jq -r '.comparisons[0].detectable_percent')
		echo "$verdict $can"
	done
}

# ---- the usual way ----

median_us() { # OPTION… of one run
	"$kernel" --kernel=fused --n="$n" --samples="$samples" --warmup-samples=1 "$@" |
		awk '$1 == "RESULT" { x[++n] = $2 }
			END { for (i = 2; i <= n; i++) { v = x[i]
				for (j = i - 1; j > 0 && x[j] > v; j--) x[j + 1] = x[j]
				x[j + 1] = v }
			printf "%.17g\n", n % 2 ? x[(n + 1) / 2] : (x[n / 2] + x[n / 2 + 1]) / 2 }'
}

# All of A, then all of B, as one of each were warmed up; as many runs as a session of Assay's.
run_usual() { # FILE PERCENT
	runs=$((pairs + aa_pairs))
	median_us --iters="$iters" >/dev/null
	i=0
	while [ $i -lt $runs ]; do
		median_us --iters="$iters"
		i=$((i + 1))
	done >"$1.a"
	i=0
	while [ $i -lt $runs ]; do
		median_us --iters="$(more_iters "$2")"
		i=$((i + 1))
	done >"$1.b"
	{ echo a,b && paste -d , "$1.a" "$1.b"; } >"$1.new"
	rm "$1.a" "$1.b"
	mv "$1.new" "$1"
}

usual_verdict() { # FILE
	"$assay" analyse --csv "$1" --a a --b b --unpaired --json |
		jq -r '([.results[] | select(.method == "Welch'\''s t of the values")][0].p) as $p
			| if $p == null or $p >= 0.05 then "inconclusive"
			elif .columns[1].mean > .columns[0].mean then "slower" else "faster" end'
}

measure_usual() { # PERCENT
	i=1
	mkdir -p usual
	while [ $i -le "$sessions" ]; do
		file=usual/slower$1-$i.csv
		[ -e "$file" ] || "$assay" lock exclusive -- "$self" --usual "$PWD/$file" "$1"
		usual_verdict "$file"
		i=$((i + 1))
	done >"usual/slower$1"
}

# ---- the table ----

count() { # WORD FILE
	awk -v word="$1" '$1 == word { n++ } END { print n + 0 }' "$2"
}

# The most of N that a true 5 % gives in 98 of 100 cases.
most_false() {
	awk -v n="$sessions" 'BEGIN {
		p = 0.95 ^ n
		for (k = 0; ; k++) {
			sum += p
			if (sum >= 0.98) { print k; exit }
			p *= (n - k) / (k + 1) * 0.05 / 0.95
		} }'
}

print_row() { # PERCENT
	verdicts "$1" >"verdicts$1"
	could=$(awk -v e="$1" '$2 <= e { n++ } END { print n + 0 }' "verdicts$1")
	found=$(awk -v e="$1" '$2 <= e && $1 == "slower" { n++ } END { print n + 0 }' "verdicts$1")
	if [ "$1" = 0 ]; then
		could='-' found='-'
	fi
	printf '| %s %% | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$1" "$sessions" \
		"$(count faster "verdicts$1")" "$(count slower "verdicts$1")" \
		"$(count inconclusive "verdicts$1")" "$could" "$found" \
		"$(count faster "usual/slower$1")" "$(count slower "usual/slower$1")"
}

print_table() {
	echo "| more work in B | sessions | Assay: faster | slower | inconclusive | could be found | of these found slower | all A, all B, Welch: faster | slower |"
	echo "|---|---|---|---|---|---|---|---|---|"
	for percent in $slow; do
		print_row "$percent"
	done
	echo
	echo "\"Could be found\": the session's own spread says that $pairs pairs find this effect in 80 of 100."
}

usage() {
	echo "usage: tests/bench/aa.sh [SESSIONS [FOLDER]]" >&2
	exit 2
}

check_needs() {
	for need in "$assay" "$kernel"; do
		[ -x "$need" ] || {
			echo "aa.sh: $need is not there; './bootstrap report' builds it" >&2
			exit 1
		}
	done
	command -v jq >/dev/null || {
		echo "aa.sh: needs jq" >&2
		exit 1
	}
}

go_to_folder() { # [FOLDER]
	if [ $# -gt 0 ]; then
		mkdir -p "$1"
		cd -- "$1"
		return
	fi
	folder=$(mktemp -d)
	trap 'cd / && rm -rf "$folder"' EXIT
	cd -- "$folder"
}

# Calls itself for the usual way, so that all its runs are under one lock.
if [ "${1-}" = --usual ]; then
	run_usual "$2" "$3"
	exit
fi
[ $# -le 2 ] || usage
sessions=${1-200}
case $sessions in
'' | *[!0-9]* | 0) usage ;;
esac
check_needs
self=$root/tests/bench/aa.sh
[ $# -eq 0 ] || shift
go_to_folder "$@"
write_study
"$assay" generate >/dev/null
ninja -k 0 build/stats.json >measure.log 2>&1 || {
	tail measure.log >&2
	exit 1
}
for percent in $slow; do
	measure_usual "$percent"
done
print_table
false=$(($(count faster verdicts0) + $(count slower verdicts0)))
most=$(most_false)
echo "The same program is said to differ in $false of $sessions sessions; at most $most would be fine."
[ "$false" -le "$most" ]

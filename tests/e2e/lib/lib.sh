# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the end-to-end tests share: . "$ASSAY_ROOT/tests/e2e/lib/lib.sh" at the top, in the fresh
# folder that tests/run made. A case is a chain of commands, and `ok WHAT` behind it:
#
#	ends 0 ninja report && said 'report:' && [ "$(logs)" -eq 8 ]
#	ok 'the study is measured'

export LC_ALL=C
out=$PWD/out # what the last command under `ends` printed, the evidence of a case that fails
: >"$out"

# By the status of the command before it, which it returns: `ok WHAT || exit 1` where the rest
# cannot be without.
ok() { # WHAT
	if [ $? -eq 0 ]; then
		echo "ok $1"
	else
		echo "not ok $1"
		tail -n 40 "$out" | awk '{ print "# " $0 }' # ends the last line too
		return 1
	fi
}

# Runs the command and holds its exit code against what is expected.
ends() { # CODE COMMAND…
	ends_expected=$1
	shift
	"$@" >"$out" 2>&1 </dev/null
	ends_code=$?
	[ "$ends_code" -eq "$ends_expected" ] || {
		echo "exit code $ends_code, not $ends_expected, of: $*" >>"$out"
		return 1
	}
}

# Whether the last command under `ends` printed it.
said() { # BASIC-REGEX
	grep -q -e "$1" "$out" || {
		echo "it did not say: $1" >>"$out"
		return 1
	}
}

assay() {
	"$ASSAY_BIN" "$@"
}

# A study in FOLDER (made where it is not there): the experiment `e` of two variants of a C
# program that takes a millisecond, 2 pairs and 1 A/A pair, so 8 groups. Tests change the files.
make_study() { # FOLDER
	mkdir -p "$1/experiments"
	cat >"$1/fast.c" <<'END_OF_FILE'
#include <stdio.h>

int main(void)
{
	puts("RESULT 12.5 12 0\nCHECK 1");
	return 0;
}
END_OF_FILE
	cat >"$1/build.ninja.lua" <<'END_OF_FILE'
study { name = "tried" }
experiments "experiments/*"
END_OF_FILE
	cat >"$1/experiments/e.lua" <<'END_OF_FILE'
local fast = runner "fast" { "fast.c", harness = false }

experiment "e" {
    variants = { variant "a" { fast, args = { "a" } }, variant "b" { fast, args = { "b" } } },
    design   = { pairs = 2, aa_pairs = 1, warmups = 1, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
}
END_OF_FILE
}

# How many groups are in the store of the study in this folder.
logs() { # [CASE-PATTERN]
	find results -path "results/${1-*}/*.log" 2>/dev/null | wc -l
}

# One line for all names, kinds, contents and times of change of a tree: equal only if nothing
# was written there.
tree() { # PATH…
	find "$@" -printf '%p %y %T@ %l\n' | sort >"$out.tree"
	find "$@" -type f -exec sha256sum {} + | sort >>"$out.tree"
	sha256sum <"$out.tree"
}

# The same without times.
contents() { # PATH…
	find "$@" -type f -exec sha256sum {} + | sort | sha256sum
}

# A program whose times are made up, so that no verdict depends on how busy the machine is:
# `tick US` prints three samples of US microseconds, each up to half a percent longer.
make_tick() { # FILE
	mkdir -p "$(dirname "$1")"
	cat >"$1" <<'END_OF_FILE'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double scale = 1;

int main(int argc, char **argv)
{
	double us = argc > 1 ? atof(argv[1]) : 1;

	for (int i = 0; i < 3; i++) {
		struct timespec now;
		double sample;

		clock_gettime(CLOCK_MONOTONIC, &now);
		sample = us * scale * (1 + (double)(now.tv_nsec % 1000) / 200000);
		printf("RESULT %.6f %.6f 0\n", sample, sample);
	}
	puts("CHECK 1");
	return 0;
}
END_OF_FILE
}

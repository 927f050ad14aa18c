#!/bin/sh
# What can change a result makes exactly the cases stale that it concerns, whatever the times of
# files say; `assay status` names the reason, and what was measured before stays in the store.
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir study && cd study || exit 1
mkdir experiments data lib
for name in edited flagged tick; do
	make_tick kernels/$name.c
done
cat >build.ninja.lua <<'END'
study { name = "stale" }
experiments "experiments/*"
END
cat >experiments/all.lua <<'END'
local tick = runner "tick" { "kernels/tick.c", harness = false }
local edited = runner "edited" { "kernels/edited.c", harness = false }
local flagged = runner "flagged" {
    "kernels/flagged.c", harness = false,
    toolchain = toolchain "flags" { cc = "cc", cflags = { "-O2" } },
}
local linked = program "linked" { "lib/linked" }
local script = program "script" { "lib/script", scripts = { "lib/part.sh" } }

local function ask(name, points, b)
    experiment(name) {
        variants = { variant "a" { tick, args = { "300" } }, variant "b" (b) },
        sweep    = { n = points },
        derive   = { us = function(p) return p.n == 2 and 700 or 400 end },
        design   = { pairs = 1, aa_pairs = 1, warmups = 1, timeout = 60 },
        reader   = "protocol",
        correct  = { check = "equal" },
    }
end

ask("kernel",   { 1 },    { edited, args = { "400" } })
ask("flag",     { 1 },    { flagged, args = { "400" } })
ask("argument", { 1, 2 }, { tick, args = { "{us}" } })
ask("input",    { 1, 2 }, { tick, args = { "400", input "data/{n}" } })
ask("stdin",    { 1, 2 }, { tick, args = { "400" }, stdin = "data/{n}" })
ask("library",  { 1 },    { linked })
ask("script",   { 1 },    { script })
END
echo one >data/1
echo two >data/2

make_library() { # FILE FACTOR
	echo "double scale(void) { return $2; }" >lib/scale.c
	cc -O2 -shared -fPIC -o "$1" lib/scale.c
}
cat >lib/linked.c <<'END'
#include <stdio.h>
double scale(void);
int main(void)
{
	printf("RESULT %.17g 400 0\nCHECK 1\n", 400 * scale());
	return 0;
}
END
make_library lib/libscale.so 1.25 &&
	cc -O2 -o lib/linked lib/linked.c -Llib -lscale "-Wl,-rpath,\$ORIGIN" || exit 1

printf '#!/bin/sh\n. "$(dirname "$0")/part.sh"\n' >lib/script && chmod +x lib/script
say() { # MICROSECONDS
	printf 'printf "RESULT %s %s 0\\nCHECK 1\\n"\n' "$1" "$1"
}
say 400 >lib/part.sh

# A line a case that is not fresh: name, state, what changed (digests as #).
status() {
	assay status --json >"$out.status" 2>"$out" || return 1
	jq -r '.[] | select(.state != "fresh") |
		"\(.case_id | sub("-[0-9a-f]+$"; "")) \(.state): \(.changes | join("; "))"' \
		"$out.status" | sed -E 's/[0-9a-f]{12}/#/g' | sort
}

# Holds what is stale against the lines of stdin.
stale_are() {
	sort >../expected
	status >../found && diff ../expected ../found >"$out"
}

# Measures, and no more than so many cases of 6 groups. What was there before is not touched.
measures() { # CASES
	find results -type f -exec sha256sum {} + >../before
	had=$(logs)
	ends 0 ninja report && sha256sum --check --quiet ../before >>"$out" 2>&1 &&
		[ "$(logs)" -eq $((had + 6 * $1)) ] && stale_are </dev/null
}

ends 0 assay generate && [ "$(status | grep -c ' never measured: $')" -eq 10 ]
ok 'ten cases were never measured'
ends 0 ninja report && [ "$(logs)" -eq 60 ] && stale_are </dev/null
ok 'measured, all are fresh'

# Each line of how it is measured is its own cases' alone.
cp experiments/all.lua ../all.lua
sed -i -e 's/timeout = 60 }/timeout = 60, order = name == "flag" and "alternate" or nil,\
	aa_placement = name == "stdin" and "first" or nil, samples = name == "script" and 2 or nil }/' \
	-e 's/"protocol",$/&\
	cpus = name == "kernel" and "first" or nil,\
	invalid_if = name == "library" and { load_above = 1.5, preempted_above = 0.5 } or nil,/' experiments/all.lua
stale_are <<'END'
kernel-n-1 stale: pinning: last -> first
flag-n-1 stale: order: balanced -> alternate
stdin-n-1 stale: aa placement: strata -> first
stdin-n-2 stale: aa placement: strata -> first
script-n-1 stale: samples: 10 -> 2
library-n-1 stale: invalid if load above: none -> 1.5; invalid if preempted above: none -> 0.5
END
ok 'the design and its rules'
mv ../all.lua experiments/all.lua

# Another machine is, line by line, another one for all; as ninja sees it, and assay status.
sysroot=$PWD/../root
mkdir -p "$sysroot/proc" "$sysroot/etc"
like_this_one() {
	cp /proc/cpuinfo "$sysroot/proc"
	rm -f "$sysroot/etc/machine-id"
	[ ! -e /etc/machine-id ] || cp /etc/machine-id "$sysroot/etc"
}
elsewhere() {
	env ASSAY_SYSROOT="$sysroot" "$@"
}
same_for_all() { # LINE: the one that differs, in all cases that there are
	elsewhere "$ASSAY_BIN" status --json >"$out.status" 2>"$out" &&
		jq -r '.[] | .state, .changes[]' "$out.status" | sort | uniq -c >"$out" &&
		said "^ *10 $1: .* -> " && said '^ *10 stale$' && [ "$(wc -l <"$out")" -eq 2 ]
}
like_this_one
ends 0 elsewhere "$ASSAY_BIN" status && [ "$(grep -c ': fresh' "$out")" -eq 10 ]
ok 'a machine like this one has the same results'
sed -i -e '/^microcode/d' -e '1a microcode\t: 0xfedcba' "$sysroot/proc/cpuinfo"
same_for_all 'cpu microcode'
ok 'another microcode'
ends 0 elsewhere "$ASSAY_BIN" check kernel && grep -q '^cpu microcode = 0xfedcba$' build/identity/kernel-* &&
	ends 0 assay check kernel && ! grep -q 0xfedcba build/identity/kernel-*
ok 'assay check sees it, and that it is gone again'
like_this_one
echo 0123456789abcdef0123456789abcdef >"$sysroot/etc/machine-id"
same_for_all 'machine id'
ok 'another machine id'
like_this_one
sed -i -e '/^model name/d' -e '1a model name\t: Planted 9000' "$sysroot/proc/cpuinfo"
same_for_all 'cpu model'
ok 'another processor'

sed -i 's/scale = 1/scale = 2/' kernels/edited.c
stale_are <<'END'
kernel-n-1 stale: treatment 1 program: # -> #
END
ok 'an edit of a kernel'
assay status >"$out" && said '^kernel-n-1-.*: stale$' &&
	said '^    treatment 1 program: [0-9a-f]* -> [0-9a-f]*$' && [ "$(grep -c ': fresh' "$out")" -eq 9 ]
ok 'said in words too'
measures 1
ok 'its case alone is measured'

sed -i 's/"-O2"/"-O0"/' experiments/all.lua
stale_are <<'END'
flag-n-1 stale: treatment 1 program: # -> #
END
ok 'a flag of the compiler that changes the code'
measures 1
ok 'that case alone is measured'

sed -i 's/and 700/and 800/' experiments/all.lua
stale_are <<'END'
argument-n-2 stale: treatment 1 argument 1: 700 -> 800
END
ok 'an argument at one of two points'
measures 1
ok 'that point alone is measured'

# As large as the old one, and older than everything here.
echo owt >data/new && touch -d 2001-09-09 data/new && mv data/new data/2
stale_are <<'END'
input-n-2 stale: input data/2: # -> #
stdin-n-2 stale: treatment 1 stdin: # -> #
END
ok 'an input replaced by a file as large and older'
measures 2
ok 'the two cases that read it are measured'

# As large, in the same place on the disk, with the same time.
make_library lib/new.so 1.75 && [ "$(wc -c <lib/new.so)" -eq "$(wc -c <lib/libscale.so)" ] &&
	touch -r lib/libscale.so lib/time && cat lib/new.so >lib/libscale.so &&
	touch -r lib/time lib/libscale.so && stale_are <<'END'
library-n-1 stale: treatment 1 library libscale.so: # -> #
END
ok 'a shared library replaced, keeping its time'
measures 1
ok 'the case that loads it is measured'

say 500 >lib/part.sh
stale_are <<'END'
script-n-1 stale: treatment 1 script lib/part.sh: # -> #
END
ok 'a file that belongs to a script'
measures 1
ok 'the case that runs it is measured'

# What was measured before is not only there, it is found again.
sed -i -e 's/"-O0"/"-O2"/' -e 's/and 800/and 700/' experiments/all.lua
sed -i 's/scale = 2/scale = 1/' kernels/edited.c
say 400 >lib/part.sh
stale_are </dev/null && measures 0
ok 'changed back, nothing is measured'

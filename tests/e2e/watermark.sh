#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Perturbed kernels, from the spec to the report. The times of one kernel are made up by its switches: it
# gains by one element alone, and its traffic is a tenth of the roof's, so it waits for latency though the
# roofline says bandwidth. And the repository's kernels are right as they are.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir study && cd study || exit 1
mkdir -p kernels experiments
cat >kernels/chain.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef WATERMARK_ONE_ELEMENT
#define FACTOR 0.2
#define CHECK 2
#else
#define FACTOR 1
#define CHECK 1
#endif

int main(int argc, char **argv)
{
	struct timespec now;
	double us;

	clock_gettime(CLOCK_MONOTONIC, &now);
	us = atof(argc > 1 ? argv[1] : "1") * FACTOR * (1 + (double)(now.tv_nsec % 1000) / 200000);
	printf("RESULT %.6f %.6f 0\nCHECK %d\n", us, us, CHECK);
	return 0;
}
END
cat >build.ninja.lua <<'END'
study { name = "perturbed" }
experiments "experiments/*"
END
cat >experiments/e.md <<'END'
# A chain

```lua
local chain = watermark "chain" { "kernels/chain.c", harness = false, args = { "1000" },
                                  work = { flops = 1000, bytes = 64000 }, without = "sync_removed" }
local roof = runner "roof" { "kernels/chain.c", harness = false }

experiment "e" {
    variants = { table.unpack(chain), variant "peak" { roof, args = { "1" }, work = { flops = 1e5, bytes = 640 } } },
    design   = { pairs = 10, aa_pairs = 0, warmups = 0, timeout = 60 },
    reader   = "protocol",
    correct  = { check = "equal" },
    roofline = { peak = "e/peak", bandwidth = "e/peak" },
    claims   = { sensitive("chain", "one_element", { by = 2 }) },
}
```

It waits for {{ at():watermark("chain").resource }}; {{ fixed(at():watermark("chain").one_element.factor, 0) }}.
END
sed -i 's/variants = { table.unpack(chain), variant/variants = { chain[1], chain[2], chain[3], chain[4], variant/' experiments/e.md

ends 0 assay generate && ends 0 ninja report && said 'chain is bound by latency' &&
	said 'roofline says memory bandwidth: they disagree' &&
	said 'claim C1 supported: chain gains at least a factor of 2 with all its accesses to one element'
ok 'a planted chain is called latency, against its roofline' || exit 1

cp build/report/report.md "$out"
said 'It waits for latency; 5\.' && said 'compute something else on purpose' && said '| \*\*no\*\* |'
ok 'text and table of the report tell it'

cp build/stats/e-*.json "$out"
said '"status": "agree"'
ok 'outputs need agree among the kernels as they are alone'

cd .. && cp -r "$ASSAY_ROOT/kernels" . && cd kernels || exit 1
ends 0 sh -c 'cc -O1 -pthread -I. -c harness/*.c team/team.c && mv *.o .. && rm -f ../team.c &&
	cc -O1 -pthread -I. watermark_lab.c ../*.o -o ../plain &&
	cc -O1 -pthread -I. -DWATERMARK_ONE_ELEMENT watermark_lab.c ../*.o -o ../one'
ok 'the kernels compile, as they are and perturbed' || exit 1
cd ..
for kernel in stream chase recurrence polynomial 'locked --threads=3'; do
	for program in plain one; do
		./$program --kernel=$kernel --n=1024 --samples=1 || echo "failed: $program $kernel"
	done
done >"$out" 2>&1
[ "$(grep -c '^CHECK' "$out")" -eq 10 ] && ! grep -q failed "$out"
ok 'each is right, and nobody checks what is perturbed'

#!/bin/sh
# Every figure is drawn whatever there is to show: of outputs that disagree, of so few pairs that
# there is no interval, of programs that fail, of times that are all the same. The report is made.
set -u
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir study && cd study || exit 1
mkdir experiments
cat >says.c <<'END'
#include <stdio.h>

/* says MICROSECONDS CHECK EXIT-CODE */
int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	printf("RESULT %s 1 0\nCHECK %s\n", argv[1], argv[2]);
	return argv[3][0] - '0';
}
END
cat >build.ninja.lua <<'END'
study { name = "figures" }
experiments "experiments/*"
END
cat >experiments/all.lua <<'END'
local says = runner "says" { "says.c", harness = false }

local function ask(name, sweep, b)
    local figures = {}
    for i, template in ipairs { "speedup", "runs", "ratios", "distribution", "drift", "forest" } do
        figures[i] = figure(template) {}
    end
    experiment(name) {
        variants = { variant "a" { says, args = { "100", "1", "0" } }, variant "b" { says, args = b } },
        sweep    = sweep,
        design   = { pairs = 2, aa_pairs = 1, max_failures = 100, timeout = 60 },
        reader   = "protocol",
        correct  = { check = "equal" },
        figures  = figures,
    }
end

ask("few", { n = { 1, 100 } }, { "100", "1", "0" })
ask("none", { n = { 1, 100 } }, { "50", "{n}", "3" })
END

ends 0 assay generate && ends 1 ninja -k 0 report && ! said '^assay: gnuplot' &&
	said '^report: build/report/report.html$' && [ "$(cat build/report/exit_code)" = 5 ]
ok 'nothing valid was measured in one experiment, few pairs in the other: the report is made'
for name in few none; do
	for template in speedup runs ratios distribution drift forest; do
		stem=build/report/figures/$name-$template
		[ -s $stem.svg ] && [ -s $stem.pdf ] && [ -s $stem.png ]
		ok "$name: $template is drawn"
	done
done
[ "$(grep -o '<svg' build/report/report.html | wc -l)" -eq 12 ] &&
	grep -q 'nothing to show' build/report/figures/none-ratios.svg &&
	! grep -q 'nothing to show' build/report/figures/few-ratios.svg
ok 'what has nothing to show says so'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Figures of absolute values: pairs, sizes and bars of a small study are drawn in all formats, the
# same bytes each time, and show what the statistics and the samples say.
. "$ASSAY_ROOT/tests/e2e/lib/lib.sh"

mkdir -p study/experiments && cd study || exit 1
cat >says.c <<'END'
#include <stdio.h>
#include <stdlib.h>

/* says MICROSECONDS: three samples of a million operations, the last of them an outlier */
int main(int argc, char **argv)
{
	double us = argc > 1 ? atof(argv[1]) : 0;

	if (us <= 0)
		return 3;
	printf("RESULT %.17g %.17g %.17g\n", us, us / 2, 1e12 / us);
	printf("RESULT %.17g %.17g %.17g\n", us * 1.125, us / 2, 1e12 / (us * 1.125));
	printf("RESULT %.17g %.17g %.17g\nCHECK 1\n", us * 2, us / 2, 1e12 / (us * 2));
	return 0;
}
END
cat >build.ninja.lua <<'END'
study { name = "tried" }
experiments "experiments/*"
END
cat >experiments/e.lua <<'END'
local says = runner "says" { "says.c", harness = false }
local function one(name, us) return variant(name) { says, args = { us } } end

experiment "e" {
    title    = "Tried",
    variants = { one("scalar_add", "{slow}"), one("simd_add", "{fast}"), one("scalar_mul", "{slow}") },
    sweep    = { n = { 1024, 16384 } },
    derive   = { slow = function(p) return p.n end, fast = function(p) return p.n // 32 end },
    design   = { pairs = 2, aa_pairs = 1, timeout = 60 },
    reader   = "protocol",
    metrics  = { { "wall_us" }, { "cpu_us" } },
    correct  = { check = "equal" },
    figures  = {
        figure "pairs" { pairs = { { "simd_add", "scalar_add" }, { "simd_mul", "scalar_mul" } } },
        figure "sizes" { bytes_each = 32, log_x = true },
        figure "sizes" { label = "groups", where = { n = 1024 }, metric = "cpu_us" },
        figure "bars" {},
        figure "bars" { label = "rates", of = "rate", peak = "simd_add", pooled = true, log = false },
    },
}
END

ends 0 assay generate && ends 0 ninja report && ! said 'gnuplot'
ok 'the study completes' || exit 1
cd build/report/figures || exit 1
for figure in pairs sizes groups bars rates; do
	head -c 200 e-$figure.svg | grep -q '<svg\|<?xml' && head -c 8 e-$figure.png | grep -q PNG &&
		head -c 8 e-$figure.pdf | grep -q '%PDF'
	ok "$figure is drawn as SVG, PNG and PDF"
done

grep -q 'simd_mul over scalar_mul is left out' e-pairs.svg
ok 'the pair that lacks one is left out, and the figure says so'
# The mean and spread of the samples that the trim keeps: 1024 and 1152 of each of two groups.
grep -q '^0,1088,73\.9[0-9]*,1161\.[0-9]*,34,2\.30[0-9]*,36\.[0-9]*,3[12]' e-pairs.csv && grep -q '^0,0,1088,1088,73\.9[0-9]*,4,32,1161\.[0-9]*,0$' e-bars.csv
ok 'means are those of the samples after the trim'
grep -q '^x_log = 1' e-bars.gnuplot && grep -q '^x_log = 0' e-rates.gnuplot
ok 'the axis is logarithmic where the range passes 30, unless the author says no'
[ "$(grep -c '^0,1,1024,' e-sizes.csv)" -eq 6 ] && [ "$(grep -c '^0,0,1024,1088$' e-sizes.csv)" -eq 1 ]
ok 'every sample is a point, each mean a point of the line'
grep -q 'by_group = 1' e-groups.gnuplot && grep -q '^0,1,2,512$' e-groups.csv
ok 'one case goes by its groups, and by the metric asked for'

contents e-* >../before
for figure in pairs sizes groups bars rates; do
	rm e-$figure.*
	(cd ../../.. && ends 0 assay plot e $figure)
done
contents e-* | cmp -s - ../before
ok 'drawn again they are the same bytes'

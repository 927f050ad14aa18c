#ifndef ASSAY_MODES_H
#define ASSAY_MODES_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * Has a distribution one mode or several? The dip is the largest distance between the
 * empirical distribution of x[0..n) (any order, any unit) and the unimodal distribution
 * nearest to it, between 1/(2n) and 1/4. n >= 2 values, not all equal (STAT_CONSTANT).
 * Hartigan and Hartigan, The dip test of unimodality, Ann. Stat. 13 (1985); algorithm AS 217
 * (P. M. Hartigan 1985) with Maechler's corrections (R package diptest).
 */
enum stat_status modes_dip(const double *x, size_t n, double *dip);

struct dip_test {
	double dip;
	double p; /* (1 + dips of uniform samples >= dip) / (1 + replicates) */
	size_t replicates;
	unsigned long seed; /* the seed given: it belongs in the output, beside p */
};

/*
 * p against the uniform, the unimodal distribution hardest to tell from two modes, by
 * simulation of `replicates` >= 1 samples with the generator mt19937. The same arguments give
 * the same p. Each replicate sorts n values: 2,000 of 1,000 values take about a third of a second.
 */
enum stat_status modes_dip_test(const double *x, size_t n, size_t replicates, unsigned long seed,
				struct dip_test *out);

#endif

#ifndef ASSAY_SIGNFLIP_H
#define ASSAY_SIGNFLIP_H

#include "analysis/stat.h"
#include <stddef.h>

struct signflip {
	double count, total; /* sign patterns with |sum| at least the one seen, of 2^n */
	double p;
};

/*
 * Fisher's randomisation test: all 2^n sign patterns, statistic |sum d|, ties counted, by
 * meeting in the middle: the sorted sums of each half of the pairs (Horowitz and Sahni 1974).
 * STAT_TOO_MANY above 44 pairs, where the halves no longer fit a few dozen MiB.
 */
enum stat_status signflip_exact(const double *d, size_t n, struct signflip *out);

#endif

#ifndef ASSAY_RANK_NULL_H
#define ASSAY_RANK_NULL_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * The exact null distribution of a rank statistic V = 0 .. max, symmetric about max / 2.
 * Probabilities, not counts, so that 500 + 500 values do not overflow.
 */
struct rank_null {
	size_t max;
	double *table; /* P(V <= v) for each v; or NULL, and then */
	double *phi;   /* the characteristic function about max / 2 at 2 pi k / (max + 1) */
	size_t terms;  /* for k = 1 .. terms, past which it is less than 1e-18 */
};

/* Of one that was initialised, or whose initialisation failed. */
void rank_null_free(struct rank_null *null);

/*
 * Mann-Whitney U without ties for m and n values, max = m n. To 64 in the smaller group by
 * multiplying up the Gaussian binomial coefficient (Andrews, The Theory of Partitions, ch. 3).
 * That loses all digits for several hundred (seen: "probabilities" of 1e3 at 500 + 500), so
 * above it the product form of the characteristic function is inverted: right to 1e-13, and
 * smaller probabilities are given as 1e-13, which errs on the safe side.
 */
enum stat_status rank_null_mann_whitney(size_t m, size_t n, struct rank_null *null);

/*
 * The sum of those of n whole weights that a fair coin picks, max = their sum. With weights
 * 1 .. n the signed-rank statistic; with doubled midranks that under ties. STAT_TOO_MANY above
 * about 1000 weights of that kind.
 */
enum stat_status rank_null_subset(const size_t *weight, size_t n, struct rank_null *null);

/* Signed rank without ties, max = n (n + 1) / 2. */
enum stat_status rank_null_signed(size_t n, struct rank_null *null);

/* P(V <= v), v <= max. */
double rank_null_lower(const struct rank_null *null, size_t v);

/* min(1, 2 min(P(V <= v), P(V >= v))); v <= max. */
double rank_null_two_sided(const struct rank_null *null, size_t v);

/*
 * Interval from order statistics w(1) .. w(max) of a Hodges-Lehmann estimate: k = smallest v
 * with P(V <= v) >= alpha/2, at least 1, giving [w(k), w(max + 1 - k)]; *achieved = 1 -
 * 2 P(V <= k - 1). STAT_NO_INTERVAL, and k = 0, when that is below conf.
 */
enum stat_status rank_null_interval(const struct rank_null *null, double conf, size_t *k,
				    double *achieved);

#endif

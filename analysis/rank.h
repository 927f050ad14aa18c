#ifndef ASSAY_RANK_H
#define ASSAY_RANK_H

#include "analysis/stat.h"
#include <stdbool.h>
#include <stddef.h>

/* Ranks, and the Mann-Whitney test that the statistics of two groups of values share. */

/* x to 12 significant digits, so that log(0.21/0.20) and log(0.20/0.21) tie. */
double rank_round(double x);

/*
 * Midranks of x, doubled to stay whole: doubled[i] = 2 * rank, ranks from 1. *ties becomes the
 * sum of t^3 - t over groups of t equal values. x must be finite.
 */
enum stat_status rank_midranks(const double *x, size_t n, size_t *doubled, double *ties);

/*
 * Exact two-sided p of the rank sum of the first n1 of n doubled midranks (ties allowed),
 * conditional on the ranks: the probability of a sum at least as far from its mean (Streitberg
 * and Roehmel, the shift algorithm). STAT_TOO_MANY above about 120 + 120 tied values.
 */
enum stat_status rank_sum_exact(const size_t *doubled, size_t n1, size_t n, double *p);

/*
 * The two-sided p of Mann-Whitney for x (n1 values) against y (n2), both finite: without ties
 * from the null distribution (rank_null.h), with ties from rank_sum_exact. U counts pairs with
 * x > y, halves for ties. p_normal has continuity and tie correction, NaN where all values are
 * equal; p_exact is NaN where exact_status is not STAT_OK.
 */
struct rank_mann_whitney {
	double u1, u2;
	double p_exact, p_normal;
	enum stat_status exact_status;
};

enum stat_status rank_mann_whitney(const double *x, size_t n1, const double *y, size_t n2,
				   struct rank_mann_whitney *out);

#endif

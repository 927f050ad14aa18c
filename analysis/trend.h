#ifndef ASSAY_TREND_H
#define ASSAY_TREND_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * Drift over the order in which values were taken. x holds n values in run order, in any one
 * unit; the index of a value is 1..n. Call these only where the run order is known: a caller
 * that doesn't know it reports STAT_ORDER_UNKNOWN instead.
 */

struct theil_sen {
	double slope;           /* unit of x per step */
	double intercept;       /* median(x) - slope (n + 1)/2: the line at index 0 */
	double total_drift_rel; /* slope (n - 1) / median(x), without unit; NaN when the
				 * median is 0 */
};

/*
 * Median of the n(n-1)/2 slopes between two values; n >= 2. Above 500 values the median is
 * found by bisection on exact counts of slopes, right to rounding, in n log n time.
 * Sen, Estimates of the regression coefficient based on Kendall's tau, JASA 63 (1968).
 */
enum stat_status trend_theil_sen(const double *x, size_t n, struct theil_sen *out);

struct mann_kendall {
	double s;   /* pairs that rise less pairs that fall */
	double var; /* of s without trend, corrected for ties */
	double z;   /* with continuity correction */
	double p;   /* two-sided, normal; 1 when all values are equal */
};

/*
 * Is there a monotonic trend? n >= 2; n log n. The p is approximate below some ten values.
 * Mann, Nonparametric tests against trend, Econometrica 13 (1945).
 */
enum stat_status trend_mann_kendall(const double *x, size_t n, struct mann_kendall *out);

/* The most values trend_mann_kendall_exact takes: its work grows with n^3. */
#define TREND_EXACT_MAX 1000

/*
 * Exact two-sided p of the same s. n >= 2; STAT_TOO_MANY above TREND_EXACT_MAX, STAT_TIES
 * when two values are equal.
 * Kendall, A new measure of rank correlation, Biometrika 30 (1938).
 */
enum stat_status trend_mann_kendall_exact(const double *x, size_t n, double *p);

#endif

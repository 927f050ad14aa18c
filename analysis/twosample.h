#ifndef ASSAY_TWOSAMPLE_H
#define ASSAY_TWOSAMPLE_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * Two independent samples, x of n1 values and y of n2 in one unit; differences are y - x.
 * On any status but STAT_OK every double of the result is NaN.
 */

struct twosample_mann_whitney {
	double u1, u2;  /* pairs with x above y, and below; a tie counts a half to each */
	double p_exact; /* two-sided, conditional on the midranks; NaN unless exact_status is OK */
	enum stat_status exact_status;
	double p_normal; /* with continuity and tie correction; NaN when all values are equal */
	double a12;      /* u1 / (n1 n2): P(X > Y) + P(X = Y)/2 (Vargha and Delaney 2000) */
};

/* n1, n2 >= 1. Hollander, Wolfe and Chicken, 4.1. */
enum stat_status twosample_mann_whitney(const double *x, size_t n1, const double *y, size_t n2,
					struct twosample_mann_whitney *out);

struct twosample_shift {
	double estimate; /* median of all n1 n2 differences y - x */
	double lo, hi;   /* NaN when interval_status is not STAT_OK */
	double achieved; /* exact level of the interval */
	enum stat_status interval_status;
};

/* Hodges-Lehmann shift with the exact interval; n1, n2 >= 1; STAT_TOO_MANY past 1.6e7 pairs. */
enum stat_status twosample_hl_shift(const double *x, size_t n1, const double *y, size_t n2,
				    double conf, struct twosample_shift *out);

struct twosample_log_shift {
	double log_ratio, lo, hi; /* log y - log x: the shift of the logarithms and its interval */
	double achieved;          /* exact level of the interval */
	double p;                 /* Mann-Whitney, exact where it can be had */
	enum stat_status interval_status;
};

/* Both of the above on logarithms, for a ratio; STAT_NOT_POSITIVE when a value has none. */
enum stat_status twosample_log_shift(const double *x, size_t n1, const double *y, size_t n2,
				     double conf, struct twosample_log_shift *out);

struct twosample_welch {
	double diff, t, df, p; /* mean(y) - mean(x); p two-sided, of no difference */
	double lo, hi;
};

/* Welch (1947); n1, n2 >= 2, STAT_CONSTANT when neither sample varies. */
enum stat_status twosample_welch(const double *x, size_t n1, const double *y, size_t n2,
				 double conf, struct twosample_welch *out);

struct twosample_log_welch {
	double log_ratio;     /* mean log y - mean log x */
	double ratio, lo, hi; /* exponentiated */
	double df, p;
};

/*
 * Welch on logarithms, as ratio. x and y hold one value a top-level unit, which is already a
 * logarithm: the mean of log t over the unit's samples (twosample_unit_logs).
 */
enum stat_status twosample_log_welch(const double *x, size_t n1, const double *y, size_t n2,
				     double conf, struct twosample_log_welch *out);

/*
 * mean[u] = mean of log t over the samples of unit u, in the order in which units first appear;
 * mean has room for n. unit[i] is any number that names the unit of t[i]. *units: how many.
 */
enum stat_status twosample_unit_logs(const double *t, const double *unit, size_t n, double *mean,
				     size_t *units);

#endif

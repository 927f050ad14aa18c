#ifndef ASSAY_DEPENDENCE_H
#define ASSAY_DEPENDENCE_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * How much a value tells about the next. x holds n values in run order, in any one unit; with
 * d = x - mean(x), the autocorrelation at lag k is r_k = sum d_t d_(t+k) / sum d^2. All need
 * n >= 2 values that are not all equal (STAT_CONSTANT), and a known run order: a caller that
 * doesn't know it reports STAT_ORDER_UNKNOWN instead.
 */

/* r_1, in [-1, 1]. */
enum stat_status dependence_acf1(const double *x, size_t n, double *out);

struct ljung_box {
	double q;
	double p; /* chi-squared with `lag` degrees of freedom */
};

/*
 * Q = n (n + 2) sum of r_k^2 / (n - k) over k = 1..lag; STAT_BAD_ARGUMENT for lag = 0,
 * STAT_TOO_FEW for n <= lag.
 * Ljung and Box, On a measure of lack of fit in time series models, Biometrika 65 (1978).
 */
enum stat_status dependence_ljung_box(const double *x, size_t n, size_t lag, struct ljung_box *out);

struct ess_geyer {
	double tau; /* integrated autocorrelation time, in values; may come out below 1 */
	double ess; /* n / max(1, tau): as many independent values tell as much */
};

/*
 * tau = -1 + 2 sum of (r_2m + r_(2m+1)), summed while those pairs stay positive.
 * Geyer, Practical Markov chain Monte Carlo, Stat. Sci. 7 (1992).
 */
enum stat_status dependence_ess_geyer(const double *x, size_t n, struct ess_geyer *out);

/* n (1 - r)/(1 + r) with r = r_1 clipped to [0, 0.999], as for an AR(1) series. */
enum stat_status dependence_ess_ar1(const double *x, size_t n, double *out);

#endif

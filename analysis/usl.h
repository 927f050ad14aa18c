#ifndef ASSAY_USL_H
#define ASSAY_USL_H

#include "analysis/stat.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * The universal scalability law: throughput x(p) = gamma p/(1 + alpha (p-1) + beta p (p-1)),
 * alpha for contention, beta for coherence. p[0..n) in [1, 1e9], x in any one unit (work per
 * time), all finite and above 0; several measurements at one p are several points; conf in
 * (0, 1). Intervals are by linearisation and hold for independent errors of equal size.
 * Gunther, Guerrilla Capacity Planning, Springer (2007).
 */

struct usl_parameter {
	double value;
	double lo, hi; /* NaN at a bound, and with no more points than parameters */
};

struct usl {
	struct usl_parameter gamma; /* unit of x: throughput at p = 1 */
	struct usl_parameter alpha, beta;
	bool alpha_at_bound, beta_at_bound; /* the data ask for less than 0 */
	double sse;                         /* squared unit of x */
	double peak_p;                      /* sqrt((1 - alpha)/beta), where throughput is
					     * largest; NaN when it has no peak */
};

/*
 * Unweighted nonlinear least squares with alpha >= 0, beta >= 0. At least three different p
 * (STAT_TOO_FEW).
 */
enum stat_status usl_fit(const double *p, const double *x, size_t n, double conf, struct usl *out);

struct usl_linear {
	struct usl_parameter alpha, beta;
};

/*
 * Gunther's quadratic regression: p/C - 1 on (p-1) and p (p-1) without intercept, C = x/x(1),
 * x(1) the median at p = 1. Not bounded, and leans on that one value: usl_fit is the one to
 * report. Needs p = 1 and two other p (STAT_TOO_FEW).
 */
enum stat_status usl_fit_linear(const double *p, const double *x, size_t n, double conf,
				struct usl_linear *out);

#endif

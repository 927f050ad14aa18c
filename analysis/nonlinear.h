#ifndef ASSAY_NONLINEAR_H
#define ASSAY_NONLINEAR_H

#include "analysis/stat.h"
#include <stddef.h>

/* Unweighted nonlinear least squares of y on one variable, through GSL's trust region. */

#define NONLINEAR_MAX 3

/* y(x; c) and its derivatives by each of the k parameters. */
typedef double nonlinear_model(double x, const double *c, double *derivatives);

struct nonlinear {
	double c[NONLINEAR_MAX];
	double sse;
	double half[NONLINEAR_MAX]; /* half widths of the intervals; NaN when n = k */
};

/*
 * Starts from `start`, k <= NONLINEAR_MAX parameters, n >= k points, level conf in (0, 1). Half
 * widths are from the linearisation at the optimum, with t(n - k). Values should be of the
 * order of 1. STAT_NO_FIT when it doesn't converge. Switches GSL's error handler off while it
 * runs and puts it back.
 */
enum stat_status nonlinear_fit(nonlinear_model *model, const double *x, const double *y, size_t n,
			       size_t k, const double *start, double conf, struct nonlinear *out);

#endif

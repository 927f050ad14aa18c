#ifndef ASSAY_SCALING_FIT_H
#define ASSAY_SCALING_FIT_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * Least-squares fits of scaling models. p[0..n) are processor counts in [1, 1e9], t times in
 * any one unit; several measurements at one p are several points. Values must be finite and
 * above 0, conf in (0, 1). Where there are no more points than parameters the interval is NaN
 * and `interval` STAT_NO_INTERVAL. Intervals hold for independent errors of equal size.
 */

struct scaling_fraction {
	double value, lo, hi;
	enum stat_status interval; /* STAT_OK, or why lo and hi are NaN */
};

struct amdahl_times {
	double serial_time, parallel_time; /* t = serial_time + parallel_time/p */
	struct scaling_fraction serial;    /* serial_time/(serial_time + parallel_time);
					    * interval by the delta method */
	double r2;                         /* NaN when t does not vary */
};

/*
 * Amdahl's law as a straight line in 1/p: weighs every time alike, so the small p count most.
 * Not bounded: a fraction below 0 says that Amdahl's law does not hold here. At least two
 * different p (STAT_TOO_FEW).
 */
enum stat_status scaling_fit_amdahl_times(const double *p, const double *t, size_t n, double conf,
					  struct amdahl_times *out);

/*
 * The serial fraction in [0, 1] with the least squared error of the speedups S = t(1)/t(p),
 * t(1) the median time at p = 1 (STAT_TOO_FEW without one, or without another p). The interval
 * takes t(1) as exact; at a bound there is none.
 */
enum stat_status scaling_fit_amdahl_speedup(const double *p, const double *t, size_t n, double conf,
					    struct scaling_fraction *out);

/*
 * Gustafson's serial fraction from scaled speedups s: least squares through the origin of
 * p - s on p - 1. Not bounded. STAT_TOO_FEW without a p above 1.
 */
enum stat_status scaling_fit_gustafson(const double *p, const double *s, size_t n, double conf,
				       struct scaling_fraction *out);

struct power_law {
	double exponent, exp_lo, exp_hi;
	double log_coef; /* t = exp(log_coef) size^exponent */
	double r2;       /* of the logarithms; NaN when t does not vary */
	enum stat_status interval;
};

/* log t on log size, any sizes above 0; at least two different sizes (STAT_TOO_FEW). */
enum stat_status scaling_fit_power_law(const double *size, const double *t, size_t n, double conf,
				       struct power_law *out);

#endif

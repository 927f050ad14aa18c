#ifndef ASSAY_LEVELS_H
#define ASSAY_LEVELS_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * Variance by level of repetition, such as sample, process, build. Level 1 is the lowest.
 * All arrays here run from the lowest level to the highest: entry i is level i + 1.
 * Kalibera and Jones, Rigorous benchmarking in reasonable time, ISMM (2013), and Quantifying
 * performance changes with effect size confidence intervals, tech. report 4-12, Kent (2012).
 */

#define LEVELS_MAX 8

struct kalibera_jones {
	size_t levels;
	size_t reps[LEVELS_MAX]; /* repetitions at each level, as given */
	double mean;             /* unit of x */
	double s2[LEVELS_MAX];   /* S_i^2: variance of the means at level i, squared unit */
	double t2[LEVELS_MAX];   /* T_i^2 = S_i^2 - S_(i-1)^2 / r_(i-1): the part that arises at
				  * level i; an estimate that may be negative */
	double half_width;       /* of the interval of the mean at level conf:
				  * t(1 - alpha/2, r_n - 1) sqrt(S_n^2 / r_n) */
};

/*
 * x holds prod(reps) values, the lowest level running fastest: with reps = {10, 8}, x[0..10)
 * are the samples of the first process. 1 <= levels <= LEVELS_MAX, every reps >= 2
 * (STAT_TOO_FEW), conf in (0, 1). The design must be balanced; what was measured otherwise
 * can't be given here.
 */
enum stat_status levels_kalibera_jones(const double *x, const size_t *reps, size_t levels,
				       double conf, struct kalibera_jones *out);

struct levels_ratio {
	double ratio;              /* mean of `after` / mean of `before` */
	double lo, hi;             /* NaN unless interval is STAT_OK */
	enum stat_status interval; /* STAT_NO_INTERVAL: a mean can't be told from 0, or the
				    * interval is not bounded */
};

/*
 * Ratio of two means with Fieller's interval at the level their half widths have;
 * STAT_NOT_POSITIVE when a mean is not above 0.
 * Fieller, Some problems in interval estimation, J. R. Stat. Soc. B 16 (1954).
 */
enum stat_status levels_ratio(const struct kalibera_jones *before,
			      const struct kalibera_jones *after, struct levels_ratio *out);

/*
 * How many repetitions of each level but the highest are worth their cost:
 * r_i = sqrt(c_(i+1)/c_i * T_i^2/T_(i+1)^2). costs[] has an entry a level: what one more
 * repetition of that level costs, in any one unit, > 0. r[] gets levels - 1 entries, to be
 * rounded up; NaN where a T^2 is not above 0, which means that the data show no variance of
 * that level. STAT_TOO_FEW for one level.
 */
enum stat_status levels_reps(const struct kalibera_jones *measured, const double *costs, double *r);

#endif

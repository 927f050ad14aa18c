#ifndef ASSAY_CHANGEPOINT_H
#define ASSAY_CHANGEPOINT_H

#include "analysis/stat.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Steps in a series: warm-up, regimes, a moment from which on a program runs slower. x holds n
 * values in run order, in any one unit. A change point is the 1-based index of the last value
 * of a segment. Call these only where the run order is known: a caller that doesn't know it
 * reports STAT_ORDER_UNKNOWN instead.
 */

struct pettitt {
	double k;     /* max |U_t| */
	size_t index; /* the first t that reaches it; 0 when unavailable */
	double p;     /* min(1, 2 exp(-6 K^2 / (n^3 + n^2))), approximate */
};

/*
 * Is there one change of location? By ranks, ties as midranks; n >= 2 values, not all equal.
 * Pettitt, A non-parametric approach to the change-point problem, Appl. Stat. 28 (1979).
 */
enum stat_status changepoint_pettitt(const double *x, size_t n, struct pettitt *out);

struct changepoint_split {
	size_t index; /* the first of the best, 0 when unavailable */
	double rss;   /* squared unit of x: what remains about the two means */
	double mean_before, mean_after;
};

/*
 * The split into two segments with the least residual sum of squares; n >= 2 values, not all
 * equal. It says where a change would be, not whether there is one.
 */
enum stat_status changepoint_amoc_mean(const double *x, size_t n, struct changepoint_split *out);

struct changepoints {
	size_t count; /* of change points, written to index[] */
	double sigma; /* the noise the mean form assumes, unit of x; NaN in the meanvar form */
};

/* Penalties per change point, in units of log n, and shortest segments of the two forms. */
#define CHANGEPOINT_MEAN_PENALTY 3.0
#define CHANGEPOINT_MEANVAR_PENALTY 15.0
#define CHANGEPOINT_MIN_SEGMENT 2
#define CHANGEPOINT_SD_FLOOR_REL 1e-4

/*
 * Changes of the mean: the exact minimum over all segmentations of the sum of RSS/sigma^2 of
 * the segments plus penalty * log n per change point, sigma = 1.4826 MAD(diff x)/sqrt 2, or
 * sd(diff x)/sqrt 2 where that is 0; no change point where both are. min_segment >= 1,
 * penalty >= 0, n >= 2 min_segment (and n >= 3, for a sigma). index[] is the caller's, with
 * room for n / min_segment entries, and comes back ascending. Pruned, yet quadratic in n where
 * changes are rare: 10,000 values take about a tenth of a second. STAT_OVERFLOW when the values
 * span more than 1e125 sigma.
 * Killick, Fearnhead and Eckley, Optimal detection of changepoints with a linear computational
 * cost, JASA 107 (2012).
 */
enum stat_status changepoint_pelt_mean(const double *x, size_t n, double penalty,
				       size_t min_segment, size_t *index, struct changepoints *out);

/*
 * Changes of mean or variance: as above with cost m (log 2 pi + log max(v, floor^2) + 1) for a
 * segment of m values and variance v (divisor m), floor = sd_floor_rel * median(x), so that
 * equal neighbours are no segment of their own. min_segment >= 2. Quadratic in n, since the
 * floor forbids pruning: 10,000 values take about half a second. STAT_CONSTANT when the floor is 0
 * and some segment does not vary.
 * Barrett et al., Virtual machine warmup blows hot and cold, OOPSLA (2017), for the penalty.
 */
enum stat_status changepoint_pelt_meanvar(const double *x, size_t n, double penalty,
					  size_t min_segment, double sd_floor_rel, size_t *index,
					  struct changepoints *out);

/*
 * Has a series of n values with these change points settled? It has when its last segment is
 * at least least_share of it; a group whose last segment starts late has no steady state.
 * Barrett et al. ask for the last 500 of 2,000: least_share = 0.25. *start is the 0-based
 * index of the first value of the last segment, set in any case.
 */
#define CHANGEPOINT_STEADY_SHARE 0.25

bool changepoint_is_steady(size_t n, const size_t *index, size_t count, double least_share,
			   size_t *start);

#endif

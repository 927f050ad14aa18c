#ifndef ASSAY_CROSSOVER_H
#define ASSAY_CROSSOVER_H

#include "analysis/pairs.h"
#include "analysis/stat.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * Two treatments whose order inside the pairs is known and mixed. d[i] = log(second / first) of
 * pair i (pairs_differences). An effect of the slot (second runs slower than first) cancels
 * between the orders, which is why these are the primary analysis and paired.h is beside it.
 * On any status but STAT_OK every double of the result is NaN; counts are filled when they
 * are known.
 */

struct crossover_hl {
	size_t n_ab, n_ba;
	double log_ratio;        /* estimate of log(b/a): half the shift of AB d's against BA d's */
	double lo, hi, achieved; /* NaN when interval_status is not STAT_OK */
	double ratio, ratio_lo, ratio_hi; /* exp of the three */
	enum stat_status interval_status;
	double p;     /* two-sided Mann-Whitney, of log_ratio 0 */
	bool p_exact; /* false: too many tied pairs, normal approximation */
	double slot;  /* log(second/first) with the treatment taken out */
};

/*
 * The primary analysis. Hodges and Lehmann's shift with the exact Mann-Whitney interval
 * (Hollander, Wolfe and Chicken, 4.2 and 4.3) on crossover differences (Koch 1972). Exact under
 * any noise, as the order is drawn at random. Needs one pair of each order for the estimate, 4
 * of each for a 95 % interval. STAT_ONE_ORDER, STAT_OVERFLOW when a ratio fits no double,
 * STAT_TOO_MANY above 4000 pairs of each order.
 */
enum stat_status crossover_hl(const double *d, const enum pair_order *order, size_t n, double conf,
			      struct crossover_hl *out);

struct crossover_abba {
	double treat, treat_se, treat_lo, treat_hi, treat_p; /* log(b/a) */
	double period, period_p;                             /* log(second/first) */
	double df;
};

/*
 * The same model with means: Grizzle's crossover t, pooled variance (Jones and Kenward, Design
 * and Analysis of Cross-Over Trials, 2.3). Needs 3 pairs, one of each order.
 */
enum stat_status crossover_abba(const double *d, const enum pair_order *order, size_t n,
				double conf, struct crossover_abba *out);

/*
 * Standard deviation of the d's of single pairs about their own order's mean, pooled: the spread
 * of log(b/a) with the slot effect taken out, as planning needs it. Conditions as crossover_abba.
 */
enum stat_status crossover_spread(const double *d, const enum pair_order *order, size_t n,
				  double *sd);

struct crossover_carryover {
	double diff, t, p;
};

/*
 * Pooled t of log a + log b, AB against BA: do the totals depend on the order? To be reported
 * only, never a gate before the treatment test (Freeman 1989). STAT_ORDER_UNKNOWN and so on.
 */
enum stat_status crossover_carryover(const double *a, const double *b, const enum pair_order *order,
				     size_t n, struct crossover_carryover *out);

#endif

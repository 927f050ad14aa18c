#ifndef ASSAY_PAIRS_H
#define ASSAY_PAIRS_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * Pairs of one group of A and one of B, adjacent in time, as analyses take them. Values are
 * times or anything else that is positive; a and b have one unit.
 */

/* Which of the two ran first. */
enum pair_order {
	PAIR_ORDER_UNKNOWN = 0,
	PAIR_AB,
	PAIR_BA,
};

/* log(num / den) for positive values, also where the quotient itself does not fit a double. */
double pairs_log(double num, double den);

/* l[i] = log(b[i] / a[i]), n of each; below 0 where B took less. l may be a or b. */
enum stat_status pairs_log_ratios(const double *a, const double *b, size_t n, double *l);

/*
 * d[i] = log(second / first): log(b/a) of an AB pair, log(a/b) of a BA pair. STAT_ORDER_UNKNOWN
 * if one pair's order is. d may be a or b.
 */
enum stat_status pairs_differences(const double *a, const double *b, const enum pair_order *order,
				   size_t n, double *d);

/*
 * The d's of one order, in sequence: AB pairs to ab, BA pairs to ba (n entries of room in
 * each). STAT_TOO_FEW for n = 0, STAT_NOT_FINITE, STAT_ORDER_UNKNOWN.
 */
enum stat_status pairs_split(const double *d, const enum pair_order *order, size_t n, double *ab,
			     size_t *n_ab, double *ba, size_t *n_ba);

#endif

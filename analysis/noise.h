#ifndef ASSAY_NOISE_H
#define ASSAY_NOISE_H

#include "analysis/crossover.h"
#include "analysis/pairs.h"
#include "analysis/stat.h"
#include <stdbool.h>
#include <stddef.h>

/* What pairs of A against a byte copy of A say about the set-up. */

struct noise_floor {
	size_t pairs;         /* AB + BA */
	size_t residuals;     /* with the A/A pairs */
	double residual_mad;  /* raw, of log(second/first) about its own arm's median */
	double floor_log;     /* 1.96 * 1.4826 * residual_mad / sqrt(pairs) */
	double floor_percent; /* 100 (exp(floor_log) - 1) */
};

/*
 * What these many pairs would show for identical code. aa holds the n_aa d's of A/A pairs (may
 * be none), d and order those of the n comparison pairs. To be printed beside an estimate; it
 * gates nothing. STAT_TOO_FEW when no arm has two pairs, STAT_CONSTANT when the residuals' MAD
 * is 0 (a clock too coarse for the noise): no floor can be told then.
 */
enum stat_status noise_floor_mad(const double *aa, size_t n_aa, const double *d,
				 const enum pair_order *order, size_t n, struct noise_floor *out);

struct noise_alarm {
	size_t n;
	double estimate, lo, hi, achieved; /* Hodges-Lehmann of the A/A d's; interval NaN if none */
	enum stat_status interval_status;
	bool alarm;         /* the interval excludes 0, and there are min_pairs */
	const char *reason; /* "" or why there can be no alarm; static */
};

/*
 * Slot effect: does the second of two identical groups run slower? A warning only, as the
 * primary analysis takes the slot out. Usually conf = 0.99 and min_pairs = 10.
 */
enum stat_status noise_aa_alarm(const double *aa, size_t n, double conf, size_t min_pairs,
				struct noise_alarm *out);

struct noise_bias {
	struct crossover_hl estimate; /* of log(A'/A) */
	bool biased;                  /* its interval excludes 0, and there are min_pairs */
	const char *reason;           /* "" or why no bias can be told; static */
};

/*
 * Label bias: does the copy launched along B's path differ from A? Caps every verdict of the
 * session at inconclusive. d, order: A/A' pairs pooled over the session's cases, AB meaning A
 * ran first. Usually conf = 0.99 and min_pairs = 10.
 */
enum stat_status noise_label_bias(const double *d, const enum pair_order *order, size_t n,
				  double conf, size_t min_pairs, struct noise_bias *out);

/*
 * Signed relative differences (second - first) / first of the d's = log(second/first), to
 * relative[n] (may be NULL or d), and the median of their absolute values.
 */
enum stat_status noise_relative(const double *d, size_t n, double *relative, double *median_abs);

#endif

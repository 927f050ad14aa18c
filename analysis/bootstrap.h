#ifndef ASSAY_BOOTSTRAP_H
#define ASSAY_BOOTSTRAP_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * Bootstrap intervals (Efron and Tibshirani, An Introduction to the Bootstrap, ch. 13, 14;
 * Efron 1987). Random numbers are GSL's taus2 from the seed given, which the result repeats: the
 * same seed gives the same interval. (taus2 takes under half the time of mt19937.) The values
 * must be independent; two at least.
 */

struct bootstrap_result {
	double estimate;       /* of the data themselves */
	double lo, hi;         /* percentile interval, type 7 quantiles */
	double bca_lo, bca_hi; /* bias-corrected and accelerated; NaN unless bca_status is OK */
	enum stat_status bca_status;
	double bias;         /* z0, the normal quantile of the share of resamples below */
	double acceleration; /* from the jackknife */
	size_t resamples;
	unsigned long seed;
};

/*
 * Common to all three: conf in (0, 1), resamples 100 to 1e8 (10,000 or more for a report).
 * STAT_CONSTANT when every resample gives the same, whatever the reason.
 */
enum stat_status bootstrap_mean(const double *x, size_t n, double conf, size_t resamples,
				unsigned long seed, struct bootstrap_result *out);

/* mean(b) / mean(a), resampling whole pairs; all values > 0. */
enum stat_status bootstrap_ratio_of_means(const double *a, const double *b, size_t n, double conf,
					  size_t resamples, unsigned long seed,
					  struct bootstrap_result *out);

/*
 * Any statistic of n observations: it is handed count indices below n, with repeats, n of them
 * in a resample and n - 1 in the jackknife, and returns a finite number.
 */
typedef double bootstrap_statistic(const size_t *index, size_t count, void *context);

enum stat_status bootstrap_general(bootstrap_statistic *statistic, void *context, size_t n,
				   double conf, size_t resamples, unsigned long seed,
				   struct bootstrap_result *out);

/* The acceleration alone, for the mean of x: sum(u^3) / (6 sum(u^2)^1.5). */
enum stat_status bootstrap_acceleration(const double *x, size_t n, double *out);

#endif

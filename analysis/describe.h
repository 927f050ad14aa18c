#ifndef ASSAY_DESCRIBE_H
#define ASSAY_DESCRIBE_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * Summaries of one sample. x holds n values in any order and any one unit; results are in that
 * unit. Nothing is kept of x and nothing is left to free. On any status but STAT_OK *out (or
 * every double of the result) is NaN.
 */

/* STAT_TOO_FEW for n = 0, STAT_NOT_FINITE if a value is NaN or infinite, else STAT_OK. */
enum stat_status describe_check(const double *x, size_t n);

/* A sorted copy, ascending, to be freed by the caller; NULL when there is no memory. */
double *describe_sorted(const double *x, size_t n);

/* n >= 1. */
enum stat_status describe_mean(const double *x, size_t n, double *out);

/* n >= 1; the mean of the two middle values for even n. */
enum stat_status describe_median(const double *x, size_t n, double *out);

/* Divisor n - 1; n >= 2. */
enum stat_status describe_sd(const double *x, size_t n, double *out);

/* n >= 1. */
enum stat_status describe_min(const double *x, size_t n, double *out);

enum stat_status describe_max(const double *x, size_t n, double *out);

/* median |x - median(x)|, without the factor 1.4826; n >= 1. */
enum stat_status describe_mad(const double *x, size_t n, double *out);

/*
 * Quantile at p in [0, 1], type 7 (R's and NumPy's default) or type 8 (median-unbiased);
 * Hyndman and Fan, Sample Quantiles in Statistical Packages, Am. Stat. 50 (1996).
 */
enum stat_status describe_quantile(const double *x, size_t n, double p, int type, double *out);

/* exp(mean(log x)); every value > 0. */
enum stat_status describe_geomean(const double *x, size_t n, double *out);

/* n / sum(1/x), the mean for rates over equal work; every value > 0. */
enum stat_status describe_harmonic(const double *x, size_t n, double *out);

/* sd / mean, without unit; n >= 2 and a mean > 0. */
enum stat_status describe_cv(const double *x, size_t n, double *out);

/* The same for values already sorted ascending and known to be finite; n >= 1. */
double describe_median_sorted(const double *sorted, size_t n);

double describe_quantile_sorted(const double *sorted, size_t n, double p, int type);

struct describe_interval {
	double lo, hi;
};

/* mean -+ t(1 - alpha/2, n - 1) sd / sqrt n at level conf in (0, 1); n >= 2. */
enum stat_status describe_mean_ci(const double *x, size_t n, double conf,
				  struct describe_interval *out);

struct describe_median_ci {
	double lo, hi;
	size_t lo_rank, hi_rank; /* 1-based ranks of lo and hi; 0 when there is no interval */
	double achieved;         /* exact level, at least the one asked for */
};

/*
 * Distribution-free interval of the median from order statistics, equal tails, exact binomial
 * (Conover, Practical Nonparametric Statistics, 3rd ed., 3.2). STAT_NO_INTERVAL when even
 * [min, max] does not reach conf: n < 6 at 95 %, n < 8 at 99 %.
 */
enum stat_status describe_median_ci(const double *x, size_t n, double conf,
				    struct describe_median_ci *out);

/*
 * The upper trim keeps x <= factor * median(x). keep[i], of n entries, becomes 1 or 0 and may
 * be NULL; *kept the number kept. Nothing is removed from x.
 *
 * describe_trim_upper compares with a relative slack of 1e-12, since 1.2 * 3 < 3.6 in binary.
 * describe_trim_upper_us is the form for times in microseconds: it rounds them to nanoseconds
 * and decides in integers, so that a value on the boundary is kept on every machine. Its
 * factor must be a multiple of 0.001 in (0, 1000], its times less than 2^53 ns (104 days).
 * Values must not be negative.
 */
enum stat_status describe_trim_upper(const double *x, size_t n, double factor, unsigned char *keep,
				     size_t *kept);

enum stat_status describe_trim_upper_us(const double *us, size_t n, double factor,
					unsigned char *keep, size_t *kept);

/*
 * All of the above from one sort. The summary as a whole fails only where nothing can be said
 * (n = 0, values not finite, no memory); a part that does not exist is NaN and its status
 * says why.
 */
struct describe_summary {
	size_t n;
	double mean, median, min, max, mad;
	double q05, q25, q75, q95; /* type 7 */
	double sd;
	enum stat_status sd_status;
	double cv;
	enum stat_status cv_status;
	double geomean;
	enum stat_status geomean_status;
	double harmonic;
	enum stat_status harmonic_status;
	struct describe_interval mean_ci;
	enum stat_status mean_ci_status;
	struct describe_median_ci median_ci;
	enum stat_status median_ci_status;
};

enum stat_status describe_summary(const double *x, size_t n, double conf,
				  struct describe_summary *out);

#endif

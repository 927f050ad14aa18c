#ifndef ASSAY_PAIRED_H
#define ASSAY_PAIRED_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * One-sample statistics of n paired differences d, in any one unit: log ratios (pairs_log_ratios)
 * or plain differences. Run order plays no part; crossover.h is for pairs whose order is known.
 * On any status but STAT_OK every double of the result is NaN.
 */

struct paired_summary {
	size_t n;
	double mean, sd, median; /* of log(b/a); sd NaN for n = 1 */
	double ratio_geomean;    /* exp(mean): geometric mean of the pairs' b/a */
	double ratio_median;     /* exp(median): median of the pairs' b/a, in the log */
	double ratio_of_means;   /* mean(b) / mean(a) */
	double ratio_of_medians; /* median(b) / median(a): pairing plays no part in it */
};

/* The ratios b/a of n pairs, positive, one unit; n >= 1. */
enum stat_status paired_log_summary(const double *a, const double *b, size_t n,
				    struct paired_summary *out);

struct paired_signed_rank {
	double v; /* sum of the midranks of the positive d's */
	size_t n; /* d's other than 0 */
	double p; /* two-sided */
};

/*
 * Wilcoxon's signed-rank test: zeros dropped, midranks of |d| to 12 significant digits, the
 * exact conditional null distribution (Hollander, Wolfe and Chicken, Nonparametric Statistical
 * Methods, 3rd ed., 3.1). STAT_CONSTANT when every d is 0, STAT_TOO_MANY above some 1000.
 */
enum stat_status paired_signed_rank_exact(const double *d, size_t n,
					  struct paired_signed_rank *out);

/* The same by the normal approximation, continuity 0.5 and tie correction. */
enum stat_status paired_signed_rank_normal(const double *d, size_t n,
					   struct paired_signed_rank *out);

struct paired_hl {
	double estimate;         /* median of the n (n + 1) / 2 Walsh averages, zeros kept */
	double lo, hi;           /* NaN when interval_status is not STAT_OK */
	size_t lo_rank, hi_rank; /* among the Walsh averages, 1-based; 0 without interval */
	double achieved;         /* exact level of the interval */
	enum stat_status interval_status;
};

/* Hodges and Lehmann (1963) with Tukey's exact interval; n >= 1, an interval from 6 at 95 %. */
enum stat_status paired_hodges_lehmann(const double *d, size_t n, double conf,
				       struct paired_hl *out);

struct paired_sign {
	size_t positive, n; /* of the d's other than 0 */
	double p;           /* exact binomial, two-sided */
};

enum stat_status paired_sign_test(const double *d, size_t n, struct paired_sign *out);

struct paired_rank_swap {
	double w, expected_w; /* sum of the pooled midranks of b, and its mean */
	double p;             /* exact over swaps inside the pairs, two-sided */
};

/* Needs the order inside each pair to have been randomised; robust to spikes and two modes. */
enum stat_status paired_rank_swap_exact(const double *a, const double *b, size_t n,
					struct paired_rank_swap *out);

struct paired_t {
	double mean, t, df, p; /* p two-sided, of mean 0 */
	double lo, hi;
};

/* Student's t; n >= 2, STAT_CONSTANT when the d's are equal but for rounding. */
enum stat_status paired_t_test(const double *d, size_t n, double conf, struct paired_t *out);

struct paired_tost {
	double p_lower, p_upper; /* of mean <= -log(1 + delta) and of mean >= log(1 + delta) */
	double p;                /* the larger: small means equivalent within delta */
	double lo, hi;           /* the 1 - 2 alpha interval */
};

/* Two one-sided t tests on log ratios (Schuirmann 1987); delta > 0, alpha in (0, 0.5). */
enum stat_status paired_tost(const double *l, size_t n, double delta, double alpha,
			     struct paired_tost *out);

#endif

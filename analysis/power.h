#ifndef ASSAY_POWER_H
#define ASSAY_POWER_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * How many runs, and what a number of runs can show. Effects are relative: 0.01 is 1 %. Needed
 * numbers are for an effect declared beforehand, never for the one observed. Throughout,
 * alpha and power are in (0, 1), alpha two-sided. Counts are doubles: they may be huge. On
 * any status but STAT_OK the results are NaN.
 */

struct power_mde {
	double normal, t; /* smallest log ratio found with this power, normal and t quantiles */
	double percent_t; /* 100 (exp(t) - 1) */
};

/* sd of the log ratios of n >= 2 pairs: (q(1 - alpha/2) + q(power)) sd / sqrt n. */
enum stat_status power_mde(double sd, size_t n, double alpha, double power, struct power_mde *out);

struct power_pairs {
	double normal; /* ((z(1 - alpha/2) + z(power)) sd / log(1 + effect))^2 */
	double normal_ceil;
	double t_iter;        /* smallest n that satisfies the same with t(n - 1) quantiles */
	double wilcoxon_ceil; /* normal times pi/3, the price of a rank test on normal data */
	double t_exact;       /* fractional n at which the t test has the power (non-central t) */
};

/* Pairs needed; sd > 0 of the log ratios of single pairs, effect > 0. */
enum stat_status power_pairs(double sd, double effect, double alpha, double power,
			     struct power_pairs *out);

struct power_count {
	double n, rounded, ceil;
};

/*
 * What to plan: the most of the rank test's number, the t test's and the fewest pairs whose exact
 * test can reach alpha. As power_pairs.
 */
enum stat_status power_plan_pairs(double sd, double effect, double alpha, double power,
				  double *pairs);

/* Runs for a standard error of diff, both in one unit: (cv / diff)^2. No power is in it. */
enum stat_status power_standard_error(double cv, double diff, struct power_count *out);

/* Samples for a share p known to +- margin: z^2 p (1 - p) / margin^2. */
enum stat_status power_binomial(double z, double p, double margin, struct power_count *out);

/* The margin that n samples of a share p give. */
enum stat_status power_binomial_margin(double z, double p, double n, double *out);

/* How long a sampling profiler at rate_hz runs for power_binomial's n; seconds. */
enum stat_status power_sampling_seconds(double z, double p, double margin, double rate_hz,
					double *out);

/* Relative error of a count of events: 1 / sqrt(count). */
enum stat_status power_poisson_error(double count, double *out);

/*
 * Margin of the asymptotic confidence sequence after t >= 1 observations of standard deviation
 * sd, tuned by rho2 > 0 (Waudby-Smith et al., Time-uniform central limit theory, 2021).
 */
enum stat_status power_confidence_sequence(double t, double rho2, double alpha, double sd,
					   double *out);

/* The smallest two-sided p the exact Mann-Whitney test can give: 2 / C(n_ab + n_ba, n_ab). */
enum stat_status power_smallest_p(size_t n_ab, size_t n_ba, double *out);

/* The fewest pairs, half of each order, whose smallest p is at most p in (0, 1]. */
enum stat_status power_pairs_for_p(double p, size_t *pairs);

#endif

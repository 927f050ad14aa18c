#include "analysis/paired.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe.h"
#include "analysis/pairs.h"
#include "analysis/rank.h"
#include "analysis/rank_null.h"
#include "analysis/sort.h"

static enum stat_status
fill_summary(const double *a, const double *b, const double *l, size_t n,
	     struct paired_summary *out)
{
	double mean_a, mean_b, median_a, median_b;

	describe_mean(l, n, &out->mean);
	describe_median(l, n, &out->median);
	describe_sd(l, n, &out->sd);
	if (describe_mean(a, n, &mean_a) || describe_mean(b, n, &mean_b) ||
	    describe_median(a, n, &median_a) || describe_median(b, n, &median_b))
		return STAT_NO_MEMORY;
	out->ratio_geomean = exp(out->mean);
	out->ratio_median = exp(out->median);
	out->ratio_of_means = mean_b / mean_a;
	out->ratio_of_medians = median_b / median_a;
	if (!isfinite(out->ratio_geomean) || !isfinite(out->ratio_median) ||
	    !isfinite(out->ratio_of_means) || !isfinite(out->ratio_of_medians) ||
	    !(out->ratio_geomean > 0 && out->ratio_median > 0) ||
	    !(out->ratio_of_means > 0 && out->ratio_of_medians > 0))
		return STAT_OVERFLOW;
	return STAT_OK;
}

enum stat_status
paired_log_summary(const double *a, const double *b, size_t n, struct paired_summary *out)
{
	const struct paired_summary none = {n, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	double *l = malloc((n ? n : 1) * sizeof(*l));
	enum stat_status status = STAT_NO_MEMORY;

	*out = none;
	if (!l)
		return status;
	status = pairs_log_ratios(a, b, n, l);
	if (status == STAT_OK)
		status = fill_summary(a, b, l, n, out);
	if (status)
		*out = none;
	free(l);
	return status;
}

/* |d| rounded and ranked, zeros left out. */
struct signed_ranks {
	size_t n;
	size_t *doubled;
	double doubled_v; /* of the positive d's */
	double ties;
};

static enum stat_status
signed_ranks_fill(const double *d, size_t n, double *magnitude, struct signed_ranks *out)
{
	enum stat_status status;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (d[i] != 0)
			magnitude[kept++] = rank_round(fabs(d[i]));
	}
	out->n = kept;
	if (kept == 0)
		return STAT_CONSTANT;
	status = rank_midranks(magnitude, kept, out->doubled, &out->ties);
	for (size_t i = 0, rank = 0; status == STAT_OK && i < n; i++) {
		if (d[i] > 0)
			out->doubled_v += (double)out->doubled[rank];
		rank += d[i] != 0;
	}
	return status;
}

/* On success out->doubled is the caller's to free; on failure it is NULL. */
static enum stat_status
signed_ranks_init(const double *d, size_t n, struct signed_ranks *out)
{
	enum stat_status status = describe_check(d, n);
	double *magnitude;

	*out = (struct signed_ranks){0, NULL, 0, 0};
	if (status)
		return status;
	magnitude = malloc(n * sizeof(*magnitude));
	out->doubled = malloc(n * sizeof(*out->doubled));
	status = magnitude && out->doubled ? signed_ranks_fill(d, n, magnitude, out)
					   : STAT_NO_MEMORY;
	free(magnitude);
	if (status) {
		free(out->doubled);
		out->doubled = NULL;
	}
	return status;
}

enum stat_status
paired_signed_rank_exact(const double *d, size_t n, struct paired_signed_rank *out)
{
	struct signed_ranks ranks;
	struct rank_null null = {0, NULL, NULL, 0};
	enum stat_status status = signed_ranks_init(d, n, &ranks);

	*out = (struct paired_signed_rank){NAN, ranks.n, NAN};
	if (status)
		return status;
	if (ranks.ties > 0)
		status = rank_null_subset(ranks.doubled, ranks.n, &null);
	else
		status = rank_null_signed(ranks.n, &null);
	if (status == STAT_OK) {
		double v = ranks.ties > 0 ? ranks.doubled_v : ranks.doubled_v / 2;
		out->v = ranks.doubled_v / 2;
		out->p = rank_null_two_sided(&null, (size_t)v);
	}
	rank_null_free(&null);
	free(ranks.doubled);
	return status;
}

enum stat_status
paired_signed_rank_normal(const double *d, size_t n, struct paired_signed_rank *out)
{
	struct signed_ranks ranks;
	enum stat_status status = signed_ranks_init(d, n, &ranks);
	double m = (double)ranks.n, z, variance;

	*out = (struct paired_signed_rank){NAN, ranks.n, NAN};
	if (status)
		return status;
	out->v = ranks.doubled_v / 2;
	variance = m * (m + 1) * (2 * m + 1) / 24 - ranks.ties / 48;
	z = fmax(0, fabs(out->v - m * (m + 1) / 4) - 0.5);
	out->p = fmin(1, 2 * gsl_cdf_ugaussian_Q(z / sqrt(variance)));
	free(ranks.doubled);
	return STAT_OK;
}

static size_t
walsh_averages(const double *d, size_t n, double *walsh)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = i; j < n; j++)
			walsh[count++] = i == j ? d[i] : (double)(((long double)d[i] + d[j]) / 2);
	}
	sort_doubles(walsh, count);
	return count;
}

static void
hl_interval(const double *walsh, size_t n, double conf, struct paired_hl *out)
{
	struct rank_null null;

	out->interval_status = rank_null_signed(n, &null);
	if (out->interval_status == STAT_OK)
		out->interval_status =
			rank_null_interval(&null, conf, &out->lo_rank, &out->achieved);
	if (out->interval_status == STAT_OK) {
		out->hi_rank = null.max + 1 - out->lo_rank;
		out->lo = walsh[out->lo_rank - 1];
		out->hi = walsh[out->hi_rank - 1];
	}
	rank_null_free(&null);
}

enum stat_status
paired_hodges_lehmann(const double *d, size_t n, double conf, struct paired_hl *out)
{
	enum stat_status status = describe_check(d, n);
	double *walsh;

	if (status == STAT_OK && !(conf > 0 && conf < 1))
		status = STAT_BAD_ARGUMENT;
	if (status == STAT_OK && n > 10000)
		status = STAT_TOO_MANY;
	*out = (struct paired_hl){NAN, NAN, NAN, 0, 0, NAN, status};
	if (status)
		return status;
	walsh = malloc(n * (n + 1) / 2 * sizeof(*walsh));
	if (!walsh)
		return out->interval_status = STAT_NO_MEMORY;
	out->estimate = describe_median_sorted(walsh, walsh_averages(d, n, walsh));
	hl_interval(walsh, n, conf, out);
	free(walsh);
	return STAT_OK;
}

enum stat_status
paired_sign_test(const double *d, size_t n, struct paired_sign *out)
{
	enum stat_status status = describe_check(d, n);
	size_t few;

	*out = (struct paired_sign){0, 0, NAN};
	if (status)
		return status;
	for (size_t i = 0; i < n; i++) {
		out->positive += d[i] > 0;
		out->n += d[i] != 0;
	}
	if (out->n == 0)
		return STAT_CONSTANT;
	few = out->positive < out->n - out->positive ? out->positive : out->n - out->positive;
	out->p = fmin(1, 2 * gsl_cdf_binomial_P((unsigned)few, 0.5, (unsigned)out->n));
	return STAT_OK;
}

/* weight[i]: by how much swapping pair i moves the rank sum; *moved: the sum where b is above. */
static double
swap_weights(const size_t *doubled, size_t n, size_t *weight, double *moved)
{
	double w = 0;

	*moved = 0;
	for (size_t i = 0; i < n; i++) {
		size_t a = doubled[i], b = doubled[n + i];
		weight[i] = a < b ? b - a : a - b;
		*moved += a < b ? (double)weight[i] : 0;
		w += (double)b / 2;
	}
	return w;
}

static enum stat_status
rank_swap(const double *pool, size_t n, size_t *doubled, size_t *weight,
	  struct paired_rank_swap *out)
{
	struct rank_null null;
	double ties, moved, w;
	enum stat_status status = rank_midranks(pool, 2 * n, doubled, &ties);

	if (status)
		return status;
	w = swap_weights(doubled, n, weight, &moved);
	status = rank_null_subset(weight, n, &null);
	if (status == STAT_OK) {
		out->w = w;
		out->expected_w = (double)n * (2 * (double)n + 1) / 2;
		out->p = rank_null_two_sided(&null, (size_t)moved);
	}
	rank_null_free(&null);
	return status;
}

enum stat_status
paired_rank_swap_exact(const double *a, const double *b, size_t n, struct paired_rank_swap *out)
{
	enum stat_status status = describe_check(a, n);
	double *pool;
	size_t *doubled, *weight;

	*out = (struct paired_rank_swap){NAN, NAN, NAN};
	if (status == STAT_OK)
		status = describe_check(b, n);
	if (status)
		return status;
	pool = malloc(2 * n * sizeof(*pool));
	doubled = malloc(2 * n * sizeof(*doubled));
	weight = malloc(n * sizeof(*weight));
	status = STAT_NO_MEMORY;
	if (pool && doubled && weight) {
		memcpy(pool, a, n * sizeof(*pool));
		memcpy(pool + n, b, n * sizeof(*pool));
		status = rank_swap(pool, n, doubled, weight, out);
	}
	free(weight);
	free(doubled);
	free(pool);
	return status;
}

/* Mean and its standard error. STAT_CONSTANT where the spread is only rounding. */
static enum stat_status
mean_error(const double *d, size_t n, double *mean, double *error)
{
	enum stat_status status = describe_sd(d, n, error);

	if (status == STAT_OK)
		status = describe_mean(d, n, mean);
	if (status)
		return status;
	*error /= sqrt((double)n);
	return *error <= 10 * DBL_EPSILON * fabs(*mean) ? STAT_CONSTANT : STAT_OK;
}

enum stat_status
paired_t_test(const double *d, size_t n, double conf, struct paired_t *out)
{
	double mean, error, df = (double)n - 1, half, t;
	enum stat_status status = mean_error(d, n, &mean, &error);

	*out = (struct paired_t){NAN, NAN, NAN, NAN, NAN, NAN};
	if (status)
		return status;
	if (!(conf > 0 && conf < 1))
		return STAT_BAD_ARGUMENT;
	half = gsl_cdf_tdist_Qinv((1 - conf) / 2, df) * error;
	t = mean / error;
	if (!isfinite(t) || !isfinite(mean - half) || !isfinite(mean + half))
		return STAT_OVERFLOW;
	*out = (struct paired_t){
		mean, t, df, fmin(1, 2 * gsl_cdf_tdist_Q(fabs(t), df)), mean - half, mean + half};
	return STAT_OK;
}

enum stat_status
paired_tost(const double *l, size_t n, double delta, double alpha, struct paired_tost *out)
{
	double mean, error, df = (double)n - 1, bound = log1p(delta), half;
	enum stat_status status = mean_error(l, n, &mean, &error);

	*out = (struct paired_tost){NAN, NAN, NAN, NAN, NAN};
	if (status)
		return status;
	if (!(delta > 0 && isfinite(delta)) || !(alpha > 0 && alpha < 0.5))
		return STAT_BAD_ARGUMENT;
	half = gsl_cdf_tdist_Qinv(alpha, df) * error;
	if (!isfinite(mean - half) || !isfinite(mean + half))
		return STAT_OVERFLOW;
	out->p_lower = gsl_cdf_tdist_Q((mean + bound) / error, df);
	out->p_upper = gsl_cdf_tdist_P((mean - bound) / error, df);
	out->p = fmax(out->p_lower, out->p_upper);
	out->lo = mean - half;
	out->hi = mean + half;
	return STAT_OK;
}

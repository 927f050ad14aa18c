#include "analysis/crossover.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/describe.h"
#include "analysis/rank.h"
#include "analysis/twosample.h"

/* Working room: the d's of each order, and n more. One block, freed through ab. */
struct arms {
	double *ab, *ba, *all;
	size_t n_ab, n_ba;
};

static enum stat_status
arms_init(const double *d, const enum pair_order *order, size_t n, struct arms *arms)
{
	enum stat_status status;

	*arms = (struct arms){NULL, NULL, NULL, 0, 0};
	if (n == 0)
		return STAT_TOO_FEW;
	arms->ab = calloc(n, 3 * sizeof(*arms->ab));
	if (!arms->ab)
		return STAT_NO_MEMORY;
	arms->ba = arms->ab + n;
	arms->all = arms->ba + n;
	status = pairs_split(d, order, n, arms->ab, &arms->n_ab, arms->ba, &arms->n_ba);
	if (status == STAT_OK && (arms->n_ab == 0 || arms->n_ba == 0))
		status = STAT_ONE_ORDER;
	return status;
}

static double
slot_effect(struct arms *arms, double log_ratio)
{
	size_t count = 0;
	double slot;

	for (size_t i = 0; i < arms->n_ab; i++)
		arms->all[count++] = arms->ab[i] - log_ratio;
	for (size_t i = 0; i < arms->n_ba; i++)
		arms->all[count++] = arms->ba[i] + log_ratio;
	describe_median(arms->all, count, &slot);
	return slot;
}

/* Rounds the arms, so it comes last. */
static enum stat_status
order_test(struct arms *arms, struct crossover_hl *out)
{
	struct rank_mann_whitney test;
	enum stat_status status;

	for (size_t i = 0; i < arms->n_ab; i++)
		arms->ab[i] = rank_round(arms->ab[i]);
	for (size_t i = 0; i < arms->n_ba; i++)
		arms->ba[i] = rank_round(arms->ba[i]);
	status = rank_mann_whitney(arms->ab, arms->n_ab, arms->ba, arms->n_ba, &test);
	if (status)
		return status;
	out->p_exact = test.exact_status == STAT_OK;
	out->p = out->p_exact ? test.p_exact : test.p_normal;
	return STAT_OK;
}

static bool
fits(double ratio)
{
	return isfinite(ratio) && ratio >= DBL_MIN;
}

static enum stat_status
fill_hl(struct arms *arms, double conf, struct crossover_hl *out)
{
	struct twosample_shift shift;
	enum stat_status status =
		twosample_hl_shift(arms->ba, arms->n_ba, arms->ab, arms->n_ab, conf, &shift);

	if (status)
		return status;
	out->log_ratio = shift.estimate / 2;
	out->lo = shift.lo / 2;
	out->hi = shift.hi / 2;
	out->achieved = shift.achieved;
	out->interval_status = shift.interval_status;
	out->ratio = exp(out->log_ratio);
	out->ratio_lo = exp(out->lo);
	out->ratio_hi = exp(out->hi);
	if (!fits(out->ratio) ||
	    (shift.interval_status == STAT_OK && !(fits(out->ratio_lo) && fits(out->ratio_hi))))
		return STAT_OVERFLOW;
	out->slot = slot_effect(arms, out->log_ratio);
	return order_test(arms, out);
}

static void
hl_unavailable(struct crossover_hl *out, size_t n_ab, size_t n_ba, enum stat_status status)
{
	*out = (struct crossover_hl){.n_ab = n_ab,
				     .n_ba = n_ba,
				     .log_ratio = NAN,
				     .lo = NAN,
				     .hi = NAN,
				     .achieved = NAN,
				     .ratio = NAN,
				     .ratio_lo = NAN,
				     .ratio_hi = NAN,
				     .interval_status = status,
				     .p = NAN,
				     .p_exact = false,
				     .slot = NAN};
}

enum stat_status
crossover_hl(const double *d, const enum pair_order *order, size_t n, double conf,
	     struct crossover_hl *out)
{
	struct arms arms;
	enum stat_status status = arms_init(d, order, n, &arms);

	hl_unavailable(out, arms.n_ab, arms.n_ba, status);
	if (status == STAT_OK) {
		status = fill_hl(&arms, conf, out);
		if (status)
			hl_unavailable(out, arms.n_ab, arms.n_ba, status);
	}
	free(arms.ab);
	return status;
}

struct pooled {
	double mean1, mean2; /* of the AB and the BA values */
	double error;        /* of their difference, from the pooled variance */
	double df;
};

static double
square_sum(const double *x, size_t n, double *mean)
{
	double sd = 0;

	describe_mean(x, n, mean);
	if (n > 1)
		describe_sd(x, n, &sd);
	return sd * sd * (n > 1 ? (double)n - 1 : 0);
}

static enum stat_status
pool(const struct arms *arms, struct pooled *out)
{
	double n1 = (double)arms->n_ab, n2 = (double)arms->n_ba, squares;

	if (n1 + n2 < 3)
		return STAT_TOO_FEW;
	squares = square_sum(arms->ab, arms->n_ab, &out->mean1);
	squares += square_sum(arms->ba, arms->n_ba, &out->mean2);
	out->df = n1 + n2 - 2;
	out->error = sqrt(squares / out->df * (1 / n1 + 1 / n2));
	if (!isfinite(out->error) || !isfinite(out->mean1) || !isfinite(out->mean2))
		return STAT_OVERFLOW;
	if (out->error <= 10 * DBL_EPSILON * fmax(fabs(out->mean1), fabs(out->mean2)))
		return STAT_CONSTANT;
	return STAT_OK;
}

static double
two_sided_t(double t, double df)
{
	return fmin(1, 2 * gsl_cdf_tdist_Q(fabs(t), df));
}

enum stat_status
crossover_abba(const double *d, const enum pair_order *order, size_t n, double conf,
	       struct crossover_abba *out)
{
	struct arms arms;
	struct pooled pooled;
	enum stat_status status = arms_init(d, order, n, &arms);
	double half;

	*out = (struct crossover_abba){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	if (status == STAT_OK && !(conf > 0 && conf < 1))
		status = STAT_BAD_ARGUMENT;
	if (status == STAT_OK)
		status = pool(&arms, &pooled);
	free(arms.ab);
	if (status)
		return status;
	out->df = pooled.df;
	out->treat = (pooled.mean1 - pooled.mean2) / 2; /* a BA pair's log(b/a) is -d */
	out->period = (pooled.mean1 + pooled.mean2) / 2;
	out->treat_se = pooled.error / 2;
	half = gsl_cdf_tdist_Qinv((1 - conf) / 2, out->df) * out->treat_se;
	out->treat_lo = out->treat - half;
	out->treat_hi = out->treat + half;
	out->treat_p = two_sided_t(out->treat / out->treat_se, out->df);
	out->period_p = two_sided_t(out->period / out->treat_se, out->df);
	return STAT_OK;
}

enum stat_status
crossover_spread(const double *d, const enum pair_order *order, size_t n, double *sd)
{
	struct arms arms;
	struct pooled pooled;
	enum stat_status status = arms_init(d, order, n, &arms);

	*sd = NAN;
	if (status == STAT_OK)
		status = pool(&arms, &pooled);
	if (status == STAT_OK)
		*sd = pooled.error / sqrt(1 / (double)arms.n_ab + 1 / (double)arms.n_ba);
	free(arms.ab);
	return status;
}

/* pairs_differences knows what a pair may be; its values are not wanted here. */
static enum stat_status
log_totals(const double *a, const double *b, const enum pair_order *order, size_t n, double *total)
{
	enum stat_status status = pairs_differences(a, b, order, n, total);

	for (size_t i = 0; status == STAT_OK && i < n; i++)
		total[i] = log(a[i]) + log(b[i]);
	return status;
}

enum stat_status
crossover_carryover(const double *a, const double *b, const enum pair_order *order, size_t n,
		    struct crossover_carryover *out)
{
	double *total = malloc((n ? n : 1) * sizeof(*total));
	struct arms arms = {NULL, NULL, NULL, 0, 0};
	struct pooled pooled;
	enum stat_status status = STAT_NO_MEMORY;

	*out = (struct crossover_carryover){NAN, NAN, NAN};
	if (!total)
		return status;
	status = log_totals(a, b, order, n, total);
	if (status == STAT_OK)
		status = arms_init(total, order, n, &arms);
	if (status == STAT_OK)
		status = pool(&arms, &pooled);
	if (status == STAT_OK) {
		out->diff = pooled.mean1 - pooled.mean2;
		out->t = out->diff / pooled.error;
		out->p = two_sided_t(out->t, pooled.df);
	}
	free(arms.ab);
	free(total);
	return status;
}

#include "analysis/describe.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sort.h"

/*
 * Sums run in long double: its exponent range holds sums and squares of any doubles, so that
 * 1e300 does not overflow on the way to a mean, nor 1e-300 vanish on the way to a sd.
 */

enum stat_status
describe_check(const double *x, size_t n)
{
	if (n == 0)
		return STAT_TOO_FEW;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			return STAT_NOT_FINITE;
	}
	return STAT_OK;
}

static enum stat_status
check_positive(const double *x, size_t n)
{
	enum stat_status status = describe_check(x, n);

	for (size_t i = 0; status == STAT_OK && i < n; i++) {
		if (x[i] <= 0)
			status = STAT_NOT_POSITIVE;
	}
	return status;
}

double *
describe_sorted(const double *x, size_t n)
{
	double *sorted;

	if (n > SIZE_MAX / sizeof(*sorted))
		return NULL;
	sorted = malloc(n ? n * sizeof(*sorted) : 1);
	if (!sorted)
		return NULL;
	if (n)
		memcpy(sorted, x, n * sizeof(*sorted));
	sort_doubles(sorted, n);
	return sorted;
}

/* value must fit a double, and must not have become zero on the way when it is not. */
static enum stat_status
store(long double value, double *out)
{
	double d = (double)value;

	if (!isfinite(d) || (d == 0 && value != 0))
		return STAT_OVERFLOW;
	*out = d;
	return STAT_OK;
}

static long double
mean_of(const double *x, size_t n)
{
	long double sum = 0, rest = 0, mean;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	mean = sum / n;
	for (size_t i = 0; i < n; i++)
		rest += x[i] - mean;
	return mean + rest / n;
}

/* A second pass takes out what the rounding of the mean leaves in the squares. */
static long double
sd_of(const double *x, size_t n)
{
	long double mean = mean_of(x, n), squares = 0, rest = 0;

	for (size_t i = 0; i < n; i++) {
		long double d = x[i] - mean;
		squares += d * d;
		rest += d;
	}
	squares -= rest * rest / n;
	return squares > 0 ? sqrtl(squares / (n - 1)) : 0;
}

enum stat_status
describe_mean(const double *x, size_t n, double *out)
{
	enum stat_status status = describe_check(x, n);

	*out = NAN;
	return status ? status : store(mean_of(x, n), out);
}

enum stat_status
describe_sd(const double *x, size_t n, double *out)
{
	enum stat_status status = describe_check(x, n);

	*out = NAN;
	if (status)
		return status;
	if (n < 2)
		return STAT_TOO_FEW;
	return store(sd_of(x, n), out);
}

enum stat_status
describe_min(const double *x, size_t n, double *out)
{
	enum stat_status status = describe_check(x, n);

	*out = NAN;
	for (size_t i = 0; status == STAT_OK && i < n; i++)
		*out = i == 0 || x[i] < *out ? x[i] : *out;
	return status;
}

enum stat_status
describe_max(const double *x, size_t n, double *out)
{
	enum stat_status status = describe_check(x, n);

	*out = NAN;
	for (size_t i = 0; status == STAT_OK && i < n; i++)
		*out = i == 0 || x[i] > *out ? x[i] : *out;
	return status;
}

double
describe_median_sorted(const double *sorted, size_t n)
{
	long double a = sorted[(n - 1) / 2], b = sorted[n / 2];

	return (double)((a + b) / 2);
}

double
describe_quantile_sorted(const double *sorted, size_t n, double p, int type)
{
	double h = type == 8 ? (n + 1.0 / 3) * p + 1.0 / 3 : (n - 1) * p + 1;
	double whole = floor(h + 1e-12 * h), part = h - whole;
	size_t lo = whole < 1 ? 0 : whole > n ? n - 1 : (size_t)whole - 1;
	size_t hi = whole < 0 ? 0 : whole >= n ? n - 1 : (size_t)whole;
	long double a = sorted[lo], b = sorted[hi];

	if (part < 0)
		part = 0;
	return (double)(a + part * (b - a));
}

/*
 * Around the median the sorted values fall into two runs of growing distance; merging them up
 * to the middle gives the median distance without a second sort.
 */
static double
mad_sorted(const double *sorted, size_t n)
{
	double median = describe_median_sorted(sorted, n);
	size_t right = 0, left, step = 0;
	long double before = 0, distance = 0;

	while (right < n && sorted[right] < median)
		right++;
	for (left = right; step <= n / 2; step++) {
		before = distance;
		if (left == 0 || (right < n && (long double)sorted[right] - median <=
						       (long double)median - sorted[left - 1]))
			distance = (long double)sorted[right++] - median;
		else
			distance = (long double)median - sorted[--left];
	}
	return (double)(n % 2 ? distance : (before + distance) / 2);
}

enum stat_status
describe_median(const double *x, size_t n, double *out)
{
	return describe_quantile(x, n, 0.5, 7, out);
}

/* Results that lie between values of x fit a double; a MAD may be up to twice as large. */
enum stat_status
describe_mad(const double *x, size_t n, double *out)
{
	enum stat_status status = describe_check(x, n);
	double *sorted;

	*out = NAN;
	if (status)
		return status;
	sorted = describe_sorted(x, n);
	if (!sorted)
		return STAT_NO_MEMORY;
	status = store(mad_sorted(sorted, n), out);
	free(sorted);
	return status;
}

enum stat_status
describe_quantile(const double *x, size_t n, double p, int type, double *out)
{
	enum stat_status status = describe_check(x, n);
	double *sorted;

	*out = NAN;
	if (status)
		return status;
	if (!(p >= 0 && p <= 1) || (type != 7 && type != 8))
		return STAT_BAD_ARGUMENT;
	sorted = describe_sorted(x, n);
	if (!sorted)
		return STAT_NO_MEMORY;
	*out = describe_quantile_sorted(sorted, n, p, type);
	free(sorted);
	return STAT_OK;
}

/* So many doubles have a product within the range of long double, whatever they are: one
 * logarithm for all of them. */
enum { LOG_BLOCK = 8 };

static long double
log_of_product(const double *x, size_t n)
{
	long double product = 1;

	for (size_t i = 0; i < n; i++)
		product *= x[i];
	return logl(product);
}

enum stat_status
describe_geomean(const double *x, size_t n, double *out)
{
	enum stat_status status = check_positive(x, n);
	long double sum = 0;

	*out = NAN;
	if (status)
		return status;
	for (size_t i = 0; i < n; i += LOG_BLOCK)
		sum += log_of_product(x + i, n - i < LOG_BLOCK ? n - i : LOG_BLOCK);
	return store(expl(sum / n), out);
}

enum stat_status
describe_harmonic(const double *x, size_t n, double *out)
{
	enum stat_status status = check_positive(x, n);
	long double sum = 0;

	*out = NAN;
	if (status)
		return status;
	for (size_t i = 0; i < n; i++)
		sum += 1 / (long double)x[i];
	return store(n / sum, out);
}

static enum stat_status
cv_of(long double mean, long double sd, double *out)
{
	return mean > 0 ? store(sd / mean, out) : STAT_NOT_POSITIVE;
}

enum stat_status
describe_cv(const double *x, size_t n, double *out)
{
	enum stat_status status = describe_check(x, n);

	*out = NAN;
	if (status)
		return status;
	if (n < 2)
		return STAT_TOO_FEW;
	return cv_of(mean_of(x, n), sd_of(x, n), out);
}

static enum stat_status
mean_ci_of(long double mean, long double sd, size_t n, double conf, struct describe_interval *out)
{
	long double half;

	if (!(conf > 0 && conf < 1))
		return STAT_BAD_ARGUMENT;
	half = gsl_cdf_tdist_Qinv((1 - conf) / 2, (double)n - 1) * sd / sqrtl(n);
	if (store(mean - half, &out->lo) || store(mean + half, &out->hi)) {
		*out = (struct describe_interval){NAN, NAN};
		return STAT_OVERFLOW;
	}
	return STAT_OK;
}

enum stat_status
describe_mean_ci(const double *x, size_t n, double conf, struct describe_interval *out)
{
	enum stat_status status = describe_check(x, n);

	*out = (struct describe_interval){NAN, NAN};
	if (status)
		return status;
	if (!(conf > 0 && conf < 1))
		return STAT_BAD_ARGUMENT;
	if (n < 2)
		return STAT_TOO_FEW;
	return mean_ci_of(mean_of(x, n), sd_of(x, n), n, conf, out);
}

/* The largest rank k with 2 P(Bin(n, 1/2) <= k - 1) <= alpha; 0 when there is none. */
static size_t
median_rank(size_t n, double alpha, double *achieved)
{
	size_t lo = 0, hi = n / 2; /* the rank is lo or above, and never above hi */

	while (lo < hi) {
		size_t k = hi - (hi - lo) / 2;
		if (2 * gsl_cdf_binomial_P((unsigned)(k - 1), 0.5, (unsigned)n) <=
		    alpha * (1 + 1e-12))
			lo = k;
		else
			hi = k - 1;
	}
	if (lo > 0)
		*achieved = 1 - 2 * gsl_cdf_binomial_P((unsigned)(lo - 1), 0.5, (unsigned)n);
	return lo;
}

static enum stat_status
median_ci_sorted(const double *sorted, size_t n, double conf, struct describe_median_ci *out)
{
	size_t rank;

	if (!(conf > 0 && conf < 1) || n > UINT32_MAX)
		return STAT_BAD_ARGUMENT;
	rank = median_rank(n, 1 - conf, &out->achieved);
	if (rank == 0)
		return STAT_NO_INTERVAL;
	out->lo_rank = rank;
	out->hi_rank = n + 1 - rank;
	out->lo = sorted[rank - 1];
	out->hi = sorted[n - rank];
	return STAT_OK;
}

enum stat_status
describe_median_ci(const double *x, size_t n, double conf, struct describe_median_ci *out)
{
	enum stat_status status = describe_check(x, n);
	double *sorted;

	*out = (struct describe_median_ci){NAN, NAN, 0, 0, NAN};
	if (status)
		return status;
	sorted = describe_sorted(x, n);
	if (!sorted)
		return STAT_NO_MEMORY;
	status = median_ci_sorted(sorted, n, conf, out);
	free(sorted);
	return status;
}

static void
summarise_moments(const double *x, size_t n, double conf, struct describe_summary *out)
{
	long double mean = mean_of(x, n), sd;

	store(mean, &out->mean);
	out->sd_status = out->cv_status = out->mean_ci_status = STAT_TOO_FEW;
	if (n < 2)
		return;
	sd = sd_of(x, n);
	out->sd_status = store(sd, &out->sd);
	out->cv_status = cv_of(mean, sd, &out->cv);
	out->mean_ci_status = mean_ci_of(mean, sd, n, conf, &out->mean_ci);
}

enum stat_status
describe_summary(const double *x, size_t n, double conf, struct describe_summary *out)
{
	enum stat_status status = describe_check(x, n);
	double *sorted;

	*out = (struct describe_summary){.n = n,
					 .mean = NAN,
					 .median = NAN,
					 .min = NAN,
					 .max = NAN,
					 .mad = NAN,
					 .q05 = NAN,
					 .q25 = NAN,
					 .q75 = NAN,
					 .q95 = NAN,
					 .sd = NAN,
					 .cv = NAN,
					 .geomean = NAN,
					 .harmonic = NAN,
					 .mean_ci = {NAN, NAN},
					 .median_ci = {NAN, NAN, 0, 0, NAN},
					 .sd_status = status,
					 .cv_status = status,
					 .geomean_status = status,
					 .harmonic_status = status,
					 .mean_ci_status = status,
					 .median_ci_status = status};
	if (status)
		return status;
	sorted = describe_sorted(x, n);
	if (!sorted)
		return STAT_NO_MEMORY;
	out->median = describe_median_sorted(sorted, n);
	out->min = sorted[0];
	out->max = sorted[n - 1];
	out->mad = mad_sorted(sorted, n);
	out->q05 = describe_quantile_sorted(sorted, n, 0.05, 7);
	out->q25 = describe_quantile_sorted(sorted, n, 0.25, 7);
	out->q75 = describe_quantile_sorted(sorted, n, 0.75, 7);
	out->q95 = describe_quantile_sorted(sorted, n, 0.95, 7);
	out->median_ci_status = median_ci_sorted(sorted, n, conf, &out->median_ci);
	summarise_moments(x, n, conf, out);
	out->geomean_status = describe_geomean(x, n, &out->geomean);
	out->harmonic_status = describe_harmonic(x, n, &out->harmonic);
	free(sorted);
	return STAT_OK;
}

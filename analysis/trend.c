#include "analysis/trend.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/describe.h"
#include "analysis/inversions.h"

/* Up to here all slopes are laid out and sorted; above, their median is bisected. */
static const size_t all_slopes_max = 500;

static enum stat_status
check(const double *x, size_t n)
{
	enum stat_status status = describe_check(x, n);

	if (status)
		return status;
	if (n < 2)
		return STAT_TOO_FEW;
	return n > SIZE_MAX / (4 * sizeof(long double)) ? STAT_NO_MEMORY : STAT_OK;
}

/* Of all slopes, each computed; *slope may come out infinite. */
static enum stat_status
median_slope_direct(const double *x, size_t n, double *slope)
{
	size_t count = n * (n - 1) / 2, k = 0;
	double *slopes = malloc(count * sizeof(*slopes));

	if (!slopes)
		return STAT_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++)
			slopes[k++] = (double)(((long double)x[j] - x[i]) / (j - i));
	}
	gsl_sort(slopes, 1, count);
	*slope = describe_median_sorted(slopes, count);
	free(slopes);
	return STAT_OK;
}

struct slopes {
	const double *x;
	size_t n;
	long double middle;    /* of the range of x; taken off for precision */
	long double *y, *work; /* n each */
};

/*
 * The slope between i < j is at most s exactly when y[i] >= y[j] for y[k] = x[k] - s k, so the
 * pairs with -y[i] > -y[j] are those above s.
 */
static unsigned long long
count_above(const struct slopes *slopes, long double s)
{
	long double centre = (long double)slopes->n / 2;

	for (size_t k = 0; k < slopes->n; k++)
		slopes->y[k] = s * (k - centre) - (slopes->x[k] - slopes->middle);
	return inversions_sort(slopes->y, slopes->work, slopes->n);
}

/* The smallest s with at least `rank` slopes at or below it; all lie within +-range. */
static long double
slope_of_rank(const struct slopes *slopes, unsigned long long rank, long double range)
{
	unsigned long long count = (unsigned long long)slopes->n * (slopes->n - 1) / 2;
	long double lo = -range, hi = range;

	for (int step = 0; step < 128; step++) {
		long double mid = lo + (hi - lo) / 2;
		if (mid <= lo || mid >= hi)
			break;
		if (count - count_above(slopes, mid) >= rank)
			hi = mid;
		else
			lo = mid;
	}
	/* below the rounding of y a slope can't be told from none */
	return fabsl(hi) <= ldexpl(range, -60) ? 0 : hi;
}

static enum stat_status
median_slope_bisected(const double *x, size_t n, double *slope)
{
	unsigned long long count = (unsigned long long)n * (n - 1) / 2;
	struct slopes slopes = {.x = x, .n = n};
	double min, max;
	long double range, a, b;

	describe_min(x, n, &min);
	describe_max(x, n, &max);
	slopes.middle = ((long double)min + max) / 2;
	range = (long double)max - min;
	slopes.y = malloc(2 * n * sizeof(*slopes.y));
	if (!slopes.y)
		return STAT_NO_MEMORY;
	slopes.work = slopes.y + n;
	a = slope_of_rank(&slopes, (count + 1) / 2, range);
	b = count % 2 ? a : slope_of_rank(&slopes, count / 2 + 1, range);
	*slope = (double)((a + b) / 2);
	free(slopes.y);
	return STAT_OK;
}

enum stat_status
trend_theil_sen(const double *x, size_t n, struct theil_sen *out)
{
	enum stat_status status = check(x, n);
	double slope, median;

	*out = (struct theil_sen){NAN, NAN, NAN};
	if (status)
		return status;
	status = n <= all_slopes_max ? median_slope_direct(x, n, &slope)
				     : median_slope_bisected(x, n, &slope);
	if (status == STAT_OK)
		status = describe_median(x, n, &median);
	if (status)
		return status;
	if (!isfinite(slope))
		return STAT_OVERFLOW;
	out->slope = slope;
	out->intercept = (double)(median - (long double)slope * (n + 1) / 2);
	if (median != 0)
		out->total_drift_rel = (double)((long double)slope * (n - 1) / median);
	if (isfinite(out->intercept) && (median == 0 || isfinite(out->total_drift_rel)))
		return STAT_OK;
	*out = (struct theil_sen){NAN, NAN, NAN};
	return STAT_OVERFLOW;
}

struct kendall {
	unsigned long long fall, tied; /* pairs */
	long double ties;              /* sum of t(t-1)(2t+5) over runs of t equal values */
};

static void
count_ties(const long double *sorted, size_t n, struct kendall *out)
{
	for (size_t start = 0, end; start < n; start = end) {
		long double t;

		for (end = start + 1; end < n && sorted[end] == sorted[start]; end++)
			;
		t = (long double)(end - start);
		out->tied += (unsigned long long)(end - start) * (end - start - 1) / 2;
		out->ties += t * (t - 1) * (2 * t + 5);
	}
}

static enum stat_status
count_pairs(const double *x, size_t n, struct kendall *out)
{
	long double *y = malloc(2 * n * sizeof(*y));

	*out = (struct kendall){0, 0, 0};
	if (!y)
		return STAT_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		y[i] = x[i];
	out->fall = inversions_sort(y, y + n, n);
	count_ties(y, n, out);
	free(y);
	return STAT_OK;
}

enum stat_status
trend_mann_kendall(const double *x, size_t n, struct mann_kendall *out)
{
	enum stat_status status = check(x, n);
	long double pairs = (long double)n * (n - 1) / 2;
	struct kendall kendall;

	*out = (struct mann_kendall){NAN, NAN, NAN, NAN};
	if (status == STAT_OK)
		status = count_pairs(x, n, &kendall);
	if (status)
		return status;
	out->s = (double)(pairs - kendall.tied - 2 * (long double)kendall.fall);
	out->var = (double)((2 * pairs * (2 * (long double)n + 5) - kendall.ties) / 18);
	out->z = 0;
	if (out->var > 0)
		out->z = (out->s - (out->s > 0) + (out->s < 0)) / sqrt(out->var);
	out->p = 2 * gsl_cdf_ugaussian_Q(fabs(out->z));
	return STAT_OK;
}

/*
 * P(fall <= limit) over all orders of n distinct values: the count of falling pairs that the
 * k-th value makes with those before it is uniform on 0..k-1, so each step is a moving sum.
 * p and next have room for limit + 1 values.
 */
static double
falls_at_most(size_t n, size_t limit, double *p, double *next)
{
	double total = 0;

	for (size_t q = 0; q <= limit; q++)
		p[q] = q == 0;
	for (size_t k = 2; k <= n; k++) {
		double sum = 0, *swap = p;

		for (size_t q = 0; q <= limit; q++) {
			sum += p[q];
			if (q >= k)
				sum -= p[q - k];
			next[q] = sum / k;
		}
		p = next;
		next = swap;
	}
	for (size_t q = 0; q <= limit; q++)
		total += p[q];
	return total;
}

enum stat_status
trend_mann_kendall_exact(const double *x, size_t n, double *p)
{
	enum stat_status status = check(x, n);
	size_t pairs, tail;
	struct kendall kendall;
	double *work;

	*p = NAN;
	if (status == STAT_OK && n > TREND_EXACT_MAX)
		status = STAT_TOO_MANY;
	if (status == STAT_OK)
		status = count_pairs(x, n, &kendall);
	if (status == STAT_OK && kendall.tied > 0)
		status = STAT_TIES;
	if (status)
		return status;
	/* the distribution is symmetric: both tails are the lower tail of the smaller count */
	pairs = n * (n - 1) / 2;
	tail = kendall.fall < pairs - kendall.fall ? kendall.fall : pairs - kendall.fall;
	work = malloc(2 * (tail + 1) * sizeof(*work));
	if (!work)
		return STAT_NO_MEMORY;
	*p = fmin(1, 2 * falls_at_most(n, tail, work, work + tail + 1));
	free(work);
	return STAT_OK;
}

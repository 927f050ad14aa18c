#include "analysis/rank.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rank_null.h"

static const double work_limit = 6e8; /* additions, well under a second */
static const double room_limit = 8e6; /* doubles in one table, 64 MiB */

double
rank_round(double x)
{
	long double scale, digits;

	if (x == 0 || !isfinite(x))
		return x;
	digits = 11 - floor(log10(fabs(x)));
	if (fabsl(digits) < 290) {
		double s = pow(10, (double)digits);
		return rint(x * s) / s;
	}
	scale = powl(10, digits);
	return (double)(rintl(x * scale) / scale);
}

enum stat_status
rank_midranks(const double *x, size_t n, size_t *doubled, double *ties)
{
	size_t *index = malloc((n ? n : 1) * sizeof(*index));

	*ties = 0;
	if (!index)
		return STAT_NO_MEMORY;
	gsl_sort_index(index, x, 1, n);
	for (size_t lo = 0, hi; lo < n; lo = hi) {
		double t;
		for (hi = lo + 1; hi < n && x[index[hi]] == x[index[lo]]; hi++)
			;
		for (size_t i = lo; i < hi; i++)
			doubled[index[i]] = lo + 1 + hi; /* ranks lo + 1 .. hi share their mean */
		t = (double)(hi - lo);
		*ties += t * t * t - t;
	}
	free(index);
	return STAT_OK;
}

static int
compare_sizes(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

/*
 * p[j * width + s]: the probability that the j picked of the ranks so far sum to s. The last
 * row is the distribution for picked of n.
 */
static void
pick_ranks(double *p, size_t width, const size_t *rank, size_t n, size_t picked)
{
	p[0] = 1;
	for (size_t i = 1; i <= n; i++) {
		size_t r = rank[i - 1], most = i < picked ? i : picked;
		size_t least = picked + i > n ? picked + i - n : 0;
		for (size_t j = most; j + 1 > least; j--) {
			double *row = p + j * width, *below = row - width;
			double in = (double)j / (double)i, out = 1 - in;
			for (size_t s = width; s-- > r;)
				row[s] = out * row[s] + (j ? in * below[s - r] : 0);
			for (size_t s = 0; s < r && s < width; s++)
				row[s] *= out;
			if (j == 0)
				break;
		}
	}
}

/* The probability of a sum at least as far from the mean as the one observed, twice. */
static double
two_sided_about(const double *p, size_t width, double mean, double observed)
{
	double far = fabs(observed - mean), sum = 0;

	for (size_t s = 0; s < width; s++) {
		if (fabs((double)s - mean) >= far - 1e-9 * (1 + far))
			sum += p[s];
	}
	return fmin(1, sum);
}

/*
 * The ranks sorted and lowered to start at 0, which takes picked * lowest from every sum, and
 * the largest sum that is left.
 */
static double
lower_ranks(size_t *sorted, const size_t *doubled, size_t n, size_t picked, size_t *lowest)
{
	double top = 0;

	memcpy(sorted, doubled, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare_sizes);
	*lowest = sorted[0];
	for (size_t i = 0; i < n; i++)
		sorted[i] -= *lowest;
	for (size_t i = n - picked; i < n; i++)
		top += (double)sorted[i];
	return top;
}

static double
sum_of(const size_t *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (double)x[i];
	return sum;
}

static enum stat_status
pick_table(double top, size_t picked, size_t n, double **table)
{
	double rows = (double)picked + 1;

	*table = NULL;
	if ((top + 1) * rows > room_limit || top * (double)picked * (double)n / 2 > work_limit)
		return STAT_TOO_MANY;
	*table = calloc((size_t)((top + 1) * rows), sizeof(**table));
	return *table ? STAT_OK : STAT_NO_MEMORY;
}

enum stat_status
rank_sum_exact(const size_t *doubled, size_t n1, size_t n, double *p)
{
	bool second = n1 > n - n1; /* the smaller group's sum says the same for less work */
	size_t picked = second ? n - n1 : n1, lowest, width;
	size_t *sorted;
	double *table, top, mean, observed;
	enum stat_status status;

	*p = NAN;
	if (picked == 0)
		return STAT_TOO_FEW;
	sorted = malloc(n * sizeof(*sorted));
	if (!sorted)
		return STAT_NO_MEMORY;
	top = lower_ranks(sorted, doubled, n, picked, &lowest);
	status = pick_table(top, picked, n, &table);
	if (status == STAT_OK) {
		width = (size_t)top + 1;
		mean = sum_of(sorted, n) * (double)picked / (double)n;
		observed = sum_of(second ? doubled + n1 : doubled, picked) -
			   (double)lowest * (double)picked;
		pick_ranks(table, width, sorted, n, picked);
		*p = two_sided_about(table + picked * width, width, mean, observed);
	}
	free(table);
	free(sorted);
	return status;
}

static double
normal_p(double u1, double n1, double n2, double ties)
{
	double n = n1 + n2, z = u1 - n1 * n2 / 2, sd;

	sd = sqrt(n1 * n2 / 12 * (n + 1 - ties / (n * (n - 1))));
	if (!(sd > 0))
		return NAN;
	z -= z > 0 ? 0.5 : z < 0 ? -0.5 : 0;
	return fmin(1, 2 * gsl_cdf_ugaussian_Q(fabs(z) / sd));
}

static void
exact_p(const size_t *doubled, size_t n1, size_t n2, double ties, struct rank_mann_whitney *out)
{
	struct rank_null null;

	if (ties > 0) {
		out->exact_status = rank_sum_exact(doubled, n1, n1 + n2, &out->p_exact);
		return;
	}
	out->exact_status = rank_null_mann_whitney(n1, n2, &null);
	if (out->exact_status == STAT_OK)
		out->p_exact = rank_null_two_sided(&null, (size_t)out->u1);
	rank_null_free(&null);
}

enum stat_status
rank_mann_whitney(const double *x, size_t n1, const double *y, size_t n2,
		  struct rank_mann_whitney *out)
{
	size_t n = n1 + n2;
	double *pool = malloc((n ? n : 1) * sizeof(*pool));
	size_t *doubled = malloc((n ? n : 1) * sizeof(*doubled));
	double ties, sum = 0;
	enum stat_status status = STAT_TOO_FEW;

	*out = (struct rank_mann_whitney){NAN, NAN, NAN, NAN, STAT_TOO_FEW};
	if (n1 == 0 || n2 == 0)
		goto out;
	status = STAT_NO_MEMORY;
	if (!pool || !doubled)
		goto out;
	memcpy(pool, x, n1 * sizeof(*pool));
	memcpy(pool + n1, y, n2 * sizeof(*pool));
	status = rank_midranks(pool, n, doubled, &ties);
	if (status)
		goto out;
	for (size_t i = 0; i < n1; i++)
		sum += (double)doubled[i] / 2;
	out->u1 = sum - (double)n1 * ((double)n1 + 1) / 2;
	out->u2 = (double)n1 * (double)n2 - out->u1;
	out->p_normal = normal_p(out->u1, (double)n1, (double)n2, ties);
	exact_p(doubled, n1, n2, ties, out);
out:
	if (status)
		out->exact_status = status;
	free(doubled);
	free(pool);
	return status;
}

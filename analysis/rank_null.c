#include "analysis/rank_null.h"

#include <math.h>
#include <stdlib.h>

static const size_t table_most = 64;    /* values in the smaller group; good to 100 or so */
static const double work_limit = 1e9;   /* additions, about a second */
static const double room_limit = 1.6e7; /* doubles in a table, 128 MiB */
static const double slack = 1e-12;      /* probabilities are sums of rounded terms */
static const double least_phi = 1e-13;

void
rank_null_free(struct rank_null *null)
{
	free(null->table);
	free(null->phi);
	*null = (struct rank_null){0, NULL, NULL, 0};
}

static enum stat_status
table_init(struct rank_null *null, double max, double steps)
{
	*null = (struct rank_null){0, NULL, NULL, 0};
	if (max > room_limit || max * steps / 2 > work_limit)
		return STAT_TOO_MANY;
	null->max = (size_t)max;
	null->table = calloc(null->max + 1, sizeof(*null->table));
	return null->table ? STAT_OK : STAT_NO_MEMORY;
}

/* From P(V = v) in the lower half to P(V <= v) everywhere. */
static void
accumulate(struct rank_null *null)
{
	double *p = null->table, sum = 0;
	size_t half = null->max / 2;

	for (size_t v = 0; v <= half; v++)
		p[v] = sum += p[v];
	for (size_t v = half + 1; v < null->max; v++)
		p[v] = 1 - p[null->max - v - 1];
	p[null->max] = 1;
}

/*
 * One factor (1 - q^(n+i)) / (1 - q^i) on the terms up to half, scaled to stay a probability.
 * The upper half mirrors the lower; computing it would carry rounding errors of the size of
 * the largest term into terms that must be tiny.
 */
static void
multiply_factor(double *p, size_t n, size_t i, size_t half)
{
	size_t degree = n * i, middle = degree / 2 < half ? degree / 2 : half;
	double scale = (double)i / (double)(n + i);

	for (size_t u = middle; u >= n + i; u--)
		p[u] -= p[u - n - i];
	for (size_t u = i; u <= middle; u++)
		p[u] += p[u - i];
	for (size_t u = 0; u <= middle; u++)
		p[u] *= scale;
	for (size_t u = middle + 1; u <= half && u <= degree; u++)
		p[u] = p[degree - u];
}

static enum stat_status
multiply_up(size_t few, size_t many, struct rank_null *null)
{
	enum stat_status status = table_init(null, (double)few * (double)many, (double)few);

	if (status)
		return status;
	null->table[0] = 1;
	for (size_t i = 1; i <= few; i++)
		multiply_factor(null->table, many, i, null->max / 2);
	accumulate(null);
	return STAT_OK;
}

/*
 * The factor of E exp(i theta U) for the j-th value of the smaller group. j theta / 2 stays
 * well inside (0, pi) as theta ends near 10 standard deviations and the group has over 64.
 */
static double
phi_at(double theta, size_t few, size_t many)
{
	double product = 1;

	for (size_t j = 1; j <= few; j++)
		product *= (double)j * sin((double)(many + j) * theta / 2) /
			   ((double)(many + j) * sin((double)j * theta / 2));
	return product;
}

static enum stat_status
transform(size_t few, size_t many, struct rank_null *null)
{
	double m = (double)few, n = (double)many, max = m * n;
	double sd = sqrt(m * n * (m + n + 1) / 12), terms = ceil(9.5 * (max + 1) / (2 * M_PI * sd));

	*null = (struct rank_null){0, NULL, NULL, 0};
	if (max > 1e15 || terms * m > work_limit / 20)
		return STAT_TOO_MANY;
	null->max = few * many;
	null->terms = (size_t)terms;
	null->phi = malloc((null->terms + 1) * sizeof(*null->phi));
	if (!null->phi)
		return STAT_NO_MEMORY;
	for (size_t k = 1; k <= null->terms; k++)
		null->phi[k] = phi_at(2 * M_PI * (double)k / (max + 1), few, many);
	return STAT_OK;
}

enum stat_status
rank_null_mann_whitney(size_t m, size_t n, struct rank_null *null)
{
	size_t few = m < n ? m : n, many = m < n ? n : m;

	return few <= table_most ? multiply_up(few, many, null) : transform(few, many, null);
}

/* All terms are positive here, so only the lower half is worth computing. */
static void
flip_coins(double *p, const size_t *weight, size_t n, size_t half)
{
	size_t reach = 0;

	p[0] = 1;
	for (size_t i = 0; i < n; i++) {
		size_t w = weight[i];
		reach = w < half - reach ? reach + w : half;
		for (size_t v = reach + 1; v-- > 0;)
			p[v] = (p[v] + (v >= w ? p[v - w] : 0)) / 2;
	}
}

enum stat_status
rank_null_subset(const size_t *weight, size_t n, struct rank_null *null)
{
	double max = 0;
	enum stat_status status;

	for (size_t i = 0; i < n; i++)
		max += (double)weight[i];
	status = table_init(null, max, (double)n);
	if (status)
		return status;
	flip_coins(null->table, weight, n, null->max / 2);
	accumulate(null);
	return STAT_OK;
}

enum stat_status
rank_null_signed(size_t n, struct rank_null *null)
{
	size_t *weight;
	enum stat_status status;

	*null = (struct rank_null){0, NULL, NULL, 0};
	if (n > 100000)
		return STAT_TOO_MANY;
	weight = malloc((n ? n : 1) * sizeof(*weight));
	if (!weight)
		return STAT_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		weight[i] = i + 1;
	status = rank_null_subset(weight, n, null);
	free(weight);
	return status;
}

/* The Fourier sum of P(V = 0) + .. + P(V = v), whose sum over v is a quotient of sines. */
static double
lower_by_transform(const struct rank_null *null, size_t v)
{
	double length = (double)null->max + 1, from_middle = (double)v + 1 - length / 2, sum = 0;

	for (size_t k = 1; k <= null->terms; k++) {
		double theta = 2 * M_PI * (double)k / length;
		sum += null->phi[k] * sin(theta * from_middle) / sin(theta / 2);
	}
	return fmin(1, fmax(least_phi, ((double)v + 1 + sum) / length));
}

double
rank_null_lower(const struct rank_null *null, size_t v)
{
	return null->table ? null->table[v] : lower_by_transform(null, v);
}

double
rank_null_two_sided(const struct rank_null *null, size_t v)
{
	size_t far = v < null->max - v ? v : null->max - v;

	return fmin(1, 2 * rank_null_lower(null, far));
}

static size_t
quantile(const struct rank_null *null, double p)
{
	size_t lo = 0, hi = null->max;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (rank_null_lower(null, middle) < p)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

enum stat_status
rank_null_interval(const struct rank_null *null, double conf, size_t *k, double *achieved)
{
	*k = 0;
	*achieved = NAN;
	if (!(conf > 0 && conf < 1))
		return STAT_BAD_ARGUMENT;
	*k = quantile(null, (1 - conf) / 2 * (1 - slack));
	if (*k < 1)
		*k = 1;
	*achieved = 1 - 2 * rank_null_lower(null, *k - 1);
	if (*achieved >= conf - slack)
		return STAT_OK;
	*k = 0;
	*achieved = NAN;
	return STAT_NO_INTERVAL;
}

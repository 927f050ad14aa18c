#include "analysis/levels.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/describe.h"

static const struct kalibera_jones unavailable = {
	.mean = NAN,
	.half_width = NAN,
	.s2 = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
	.t2 = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
};

static enum stat_status
check(const double *x, const size_t *reps, size_t levels, double conf, size_t *n)
{
	*n = 1;
	if (levels < 1 || levels > LEVELS_MAX || !(conf > 0 && conf < 1))
		return STAT_BAD_ARGUMENT;
	for (size_t i = 0; i < levels; i++) {
		if (reps[i] < 2)
			return STAT_TOO_FEW;
		if (*n > SIZE_MAX / sizeof(long double) / reps[i])
			return STAT_BAD_ARGUMENT;
		*n *= reps[i];
	}
	return describe_check(x, *n);
}

/*
 * Replaces the `parents` * r means of one level by those of the level above, in place, and
 * returns the sum of squares of the means about their parents.
 */
static long double
fold(long double *means, size_t parents, size_t r)
{
	long double squares = 0;

	for (size_t p = 0; p < parents; p++) {
		const long double *child = means + p * r;
		long double sum = 0, mean;

		for (size_t i = 0; i < r; i++)
			sum += child[i];
		mean = sum / r;
		for (size_t i = 0; i < r; i++)
			squares += (child[i] - mean) * (child[i] - mean);
		means[p] = mean;
	}
	return squares;
}

/* Results of finite input that left the range of a double. */
static bool
is_representable(const struct kalibera_jones *kj)
{
	bool fits = isfinite(kj->mean) && isfinite(kj->half_width);

	for (size_t i = 0; i < kj->levels; i++)
		fits = fits && isfinite(kj->s2[i]) && isfinite(kj->t2[i]);
	return fits;
}

static enum stat_status
analyse(long double *means, size_t n, double conf, struct kalibera_jones *out)
{
	long double s2 = 0, below = 0;
	size_t top = out->levels - 1;

	for (size_t i = 0; i <= top; i++) {
		size_t r = out->reps[i], parents = n / r;
		long double squares = fold(means, parents, r);

		s2 = squares / ((long double)parents * (r - 1));
		out->s2[i] = (double)s2;
		out->t2[i] = (double)(s2 - below);
		if (out->s2[i] == 0 && squares > 0)
			return STAT_OVERFLOW;
		below = s2 / r;
		n = parents;
	}
	out->mean = (double)means[0];
	out->half_width = (double)(gsl_cdf_tdist_Qinv((1 - conf) / 2, (double)out->reps[top] - 1) *
				   sqrtl(below));
	return is_representable(out) ? STAT_OK : STAT_OVERFLOW;
}

enum stat_status
levels_kalibera_jones(const double *x, const size_t *reps, size_t levels, double conf,
		      struct kalibera_jones *out)
{
	size_t n;
	enum stat_status status = check(x, reps, levels, conf, &n);
	long double *means;

	*out = unavailable;
	if (status)
		return status;
	means = malloc(n * sizeof(*means));
	if (!means)
		return STAT_NO_MEMORY;
	for (size_t i = 0; i < n; i++)
		means[i] = x[i];
	out->levels = levels;
	for (size_t i = 0; i < levels; i++)
		out->reps[i] = reps[i];
	status = analyse(means, n, conf, out);
	free(means);
	if (status)
		*out = unavailable;
	return status;
}

static void
fieller(const struct kalibera_jones *before, const struct kalibera_jones *after,
	struct levels_ratio *out)
{
	long double a = before->mean, b = after->mean;
	long double h = before->half_width, g = after->half_width;
	long double bottom = (a - h) * (a + h);
	long double under = a * b * a * b - bottom * (b - g) * (b + g);
	long double root = sqrtl(under);

	out->interval = STAT_NO_INTERVAL;
	if (!(bottom > 0) || !(under >= 0))
		return;
	out->lo = (double)((a * b - root) / bottom);
	out->hi = (double)((a * b + root) / bottom);
	out->interval = STAT_OK;
	if (!isfinite(out->lo) || !isfinite(out->hi)) {
		out->lo = out->hi = NAN;
		out->interval = STAT_OVERFLOW;
	}
}

enum stat_status
levels_ratio(const struct kalibera_jones *before, const struct kalibera_jones *after,
	     struct levels_ratio *out)
{
	double ratio = after->mean / before->mean;

	*out = (struct levels_ratio){NAN, NAN, NAN, STAT_NOT_FINITE};
	if (!isfinite(before->mean) || !isfinite(after->mean))
		return STAT_NOT_FINITE;
	out->interval = STAT_NOT_POSITIVE;
	if (before->mean <= 0 || after->mean <= 0)
		return STAT_NOT_POSITIVE;
	out->interval = STAT_OVERFLOW;
	if (!isfinite(ratio) || ratio == 0)
		return STAT_OVERFLOW;
	out->ratio = ratio;
	fieller(before, after, out);
	return STAT_OK;
}

enum stat_status
levels_reps(const struct kalibera_jones *measured, const double *costs, double *r)
{
	size_t levels = measured->levels;

	for (size_t i = 0; i + 1 < levels; i++)
		r[i] = NAN;
	if (levels < 2)
		return STAT_TOO_FEW;
	for (size_t i = 0; i < levels; i++) {
		if (!isfinite(costs[i]))
			return STAT_NOT_FINITE;
		if (costs[i] <= 0)
			return STAT_NOT_POSITIVE;
	}
	for (size_t i = 0; i + 1 < levels; i++) {
		long double low = measured->t2[i], high = measured->t2[i + 1];
		double reps = (double)sqrtl((long double)costs[i + 1] / costs[i] * low / high);

		if (low > 0 && high > 0 && isfinite(reps))
			r[i] = reps;
	}
	return STAT_OK;
}

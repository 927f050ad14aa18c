#include "analysis/signflip.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/describe.h"

/* Merges the sums so far, sorted, minus d with the same plus d; from and to hold 2^k, 2^(k+1). */
static void
merge_signs(const double *from, size_t count, double d, double *to)
{
	size_t lower = 0, upper = 0;

	d = fabs(d);
	for (size_t i = 0; i < 2 * count; i++) {
		if (upper == count || (lower < count && from[lower] - d <= from[upper] + d))
			to[i] = from[lower++] - d;
		else
			to[i] = from[upper++] + d;
	}
}

/* All 2^n sums of +-d, ascending; NULL without memory. */
static double *
signed_sums(const double *d, size_t n)
{
	size_t total = (size_t)1 << n;
	double *sums = malloc(total * sizeof(*sums)), *spare = malloc(total * sizeof(*spare));

	if (!sums || !spare) {
		free(sums);
		free(spare);
		return NULL;
	}
	sums[0] = 0;
	for (size_t i = 0; i < n; i++) {
		double *swap = sums;
		merge_signs(sums, (size_t)1 << i, d[i], spare);
		sums = spare;
		spare = swap;
	}
	free(spare);
	return sums;
}

/* How many pairs of one of each reach bound; both are ascending. */
static double
count_reaching(const double *x, size_t n, const double *y, size_t m, double bound)
{
	double count = 0;
	size_t above = m; /* y[above..] reach the bound together with x[i] */

	for (size_t i = 0; i < n; i++) {
		while (above > 0 && x[i] + y[above - 1] >= bound)
			above--;
		count += (double)(m - above);
	}
	return count;
}

enum stat_status
signflip_exact(const double *d, size_t n, struct signflip *out)
{
	enum stat_status status = describe_check(d, n);
	double sum = 0, size = 0, bound, *x, *y;
	size_t half = n / 2;

	*out = (struct signflip){NAN, NAN, NAN};
	if (status)
		return status;
	if (n > 44)
		return STAT_TOO_MANY;
	for (size_t i = 0; i < n; i++) {
		sum += d[i];
		size += fabs(d[i]);
	}
	if (!isfinite(size))
		return STAT_OVERFLOW;
	bound = fabs(sum) * (1 - 1e-9) - 1e-14 * size; /* patterns equal but for rounding tie */
	x = signed_sums(d, half);
	y = signed_sums(d + half, n - half);
	if (x && y) {
		out->total = ldexp(1, (int)n);
		out->count = bound <= 0 ? out->total
					: 2 * count_reaching(x, (size_t)1 << half, y,
							     (size_t)1 << (n - half), bound);
		out->p = out->count / out->total;
	}
	free(x);
	free(y);
	return isnan(out->p) ? STAT_NO_MEMORY : STAT_OK;
}

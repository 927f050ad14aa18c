#include "analysis/describe.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

__extension__ typedef __int128 wide; /* 2000 * 2^53 does not fit 64 bits */

static const double ns_limit = 9007199254740992.0; /* 2^53 */

static void
mark(unsigned char *keep, size_t *kept, size_t i, int keeps)
{
	if (keep)
		keep[i] = keeps != 0;
	*kept += keeps != 0;
}

static enum stat_status
check(const double *x, size_t n, double factor)
{
	enum stat_status status = describe_check(x, n);

	for (size_t i = 0; status == STAT_OK && i < n; i++) {
		if (x[i] < 0)
			status = STAT_NOT_POSITIVE;
	}
	if (status == STAT_OK && !(factor > 0 && factor <= 1000))
		status = STAT_BAD_ARGUMENT;
	return status;
}

enum stat_status
describe_trim_upper(const double *x, size_t n, double factor, unsigned char *keep, size_t *kept)
{
	enum stat_status status = check(x, n, factor);
	double median;

	*kept = 0;
	if (status == STAT_OK)
		status = describe_median(x, n, &median);
	if (status)
		return status;
	for (size_t i = 0; i < n; i++)
		mark(keep, kept, i, x[i] <= factor * median * (1 + 1e-12));
	return STAT_OK;
}

static int64_t
nanoseconds(double us)
{
	return (int64_t)llround(us * 1000);
}

enum stat_status
describe_trim_upper_us(const double *us, size_t n, double factor, unsigned char *keep, size_t *kept)
{
	enum stat_status status = check(us, n, factor);
	double permille = round(factor * 1000);
	double *sorted;
	wide middle;

	*kept = 0;
	for (size_t i = 0; status == STAT_OK && i < n; i++) {
		if (us[i] * 1000 >= ns_limit)
			status = STAT_BAD_ARGUMENT;
	}
	if (status)
		return status;
	if (permille < 1 || fabs(factor * 1000 - permille) > 1e-9 * permille)
		return STAT_BAD_ARGUMENT;
	sorted = describe_sorted(us, n);
	if (!sorted)
		return STAT_NO_MEMORY;
	/* rounding keeps the order, so the middle of the rounded is the rounded middle */
	middle = (wide)nanoseconds(sorted[(n - 1) / 2]) + nanoseconds(sorted[n / 2]);
	for (size_t i = 0; i < n; i++)
		mark(keep, kept, i, (wide)2000 * nanoseconds(us[i]) <= (wide)permille * middle);
	free(sorted);
	return STAT_OK;
}

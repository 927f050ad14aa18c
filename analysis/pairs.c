#include "analysis/pairs.h"

#include <float.h>
#include <math.h>

double
pairs_log(double num, double den)
{
	double ratio = num / den;

	if (ratio >= DBL_MIN && ratio <= DBL_MAX)
		return log(ratio);
	return log(num) - log(den);
}

static enum stat_status
check_pairs(const double *a, const double *b, size_t n)
{
	enum stat_status status = n ? STAT_OK : STAT_TOO_FEW;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(a[i]) || !isfinite(b[i]))
			return STAT_NOT_FINITE;
		if (a[i] <= 0 || b[i] <= 0)
			status = STAT_NOT_POSITIVE;
	}
	return status;
}

enum stat_status
pairs_log_ratios(const double *a, const double *b, size_t n, double *l)
{
	enum stat_status status = check_pairs(a, b, n);

	for (size_t i = 0; i < n; i++)
		l[i] = status ? NAN : pairs_log(b[i], a[i]);
	return status;
}

enum stat_status
pairs_differences(const double *a, const double *b, const enum pair_order *order, size_t n,
		  double *d)
{
	enum stat_status status = check_pairs(a, b, n);

	for (size_t i = 0; status == STAT_OK && i < n; i++) {
		if (order[i] != PAIR_AB && order[i] != PAIR_BA)
			status = STAT_ORDER_UNKNOWN;
	}
	for (size_t i = 0; i < n; i++) {
		double forward = status ? NAN : pairs_log(b[i], a[i]);
		d[i] = order[i] == PAIR_BA ? -forward : forward;
	}
	return status;
}

enum stat_status
pairs_split(const double *d, const enum pair_order *order, size_t n, double *ab, size_t *n_ab,
	    double *ba, size_t *n_ba)
{
	enum stat_status status = n ? STAT_OK : STAT_TOO_FEW;

	*n_ab = *n_ba = 0;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(d[i]))
			return STAT_NOT_FINITE;
		if (order[i] == PAIR_AB)
			ab[(*n_ab)++] = d[i];
		else if (order[i] == PAIR_BA)
			ba[(*n_ba)++] = d[i];
		else
			status = STAT_ORDER_UNKNOWN;
	}
	return status;
}

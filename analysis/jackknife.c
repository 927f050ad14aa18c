#include "analysis/jackknife.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum stat_status
jackknife_interval(double full, const double *without, size_t n, double conf, double *lo, double *hi)
{
	double mean = 0, sum = 0, half;
	size_t i;

	*lo = *hi = NAN;
	if (n < 3)
		return STAT_TOO_FEW;
	if (!(conf > 0 && conf < 1))
		return STAT_BAD_ARGUMENT;
	for (i = 0; i < n; i++) {
		if (!isfinite(without[i]))
			return STAT_NOT_FINITE;
		mean += without[i] / (double)n;
	}
	for (i = 0; i < n; i++)
		sum += (without[i] - mean) * (without[i] - mean);
	half = gsl_cdf_tdist_Qinv((1 - conf) / 2, (double)(n - 1)) *
	       sqrt((double)(n - 1) / (double)n * sum);
	if (!isfinite(full) || !isfinite(half))
		return STAT_NOT_FINITE;
	*lo = full - half;
	*hi = full + half;
	return STAT_OK;
}

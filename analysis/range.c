#include "analysis/range.h"

#include <math.h>

enum stat_status
range_finite(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			return STAT_NOT_FINITE;
	}
	return STAT_OK;
}

enum stat_status
range_positive(const double *values, size_t n)
{
	enum stat_status status = range_finite(values, n);

	for (size_t i = 0; status == STAT_OK && i < n; i++) {
		if (values[i] <= 0)
			status = STAT_NOT_POSITIVE;
	}
	return status;
}

enum stat_status
range_store(long double value, double *out)
{
	double stored = (double)value;

	*out = NAN;
	if (!isfinite(stored) || (stored == 0 && value != 0))
		return STAT_OVERFLOW;
	*out = stored;
	return STAT_OK;
}

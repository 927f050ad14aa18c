#include "analysis/scaling.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/describe.h"
#include "analysis/range.h"

static enum stat_status
check_fraction(double fraction, double p)
{
	enum stat_status status = range_finite((double[]){fraction, p}, 2);

	if (status)
		return status;
	return fraction >= 0 && fraction <= 1 && p >= 1 ? STAT_OK : STAT_BAD_ARGUMENT;
}

enum stat_status
scaling_speedup(double serial_time, double time, double p, struct speedup *out)
{
	enum stat_status status = range_positive((double[]){serial_time, time, p}, 3);
	long double ratio = (long double)serial_time / time;
	struct speedup speedup;

	*out = (struct speedup){NAN, NAN, false};
	if (status)
		return status;
	if (p < 1)
		return STAT_BAD_ARGUMENT;
	if (range_store(ratio, &speedup.speedup) || range_store(ratio / p, &speedup.efficiency))
		return STAT_OVERFLOW;
	speedup.superlinear = ratio > p;
	*out = speedup;
	return STAT_OK;
}

enum stat_status
scaling_amdahl(double serial_fraction, double p, struct amdahl *out)
{
	enum stat_status status = check_fraction(serial_fraction, p);
	long double f = serial_fraction, speedup = 1 / (f + (1 - f) / p);

	*out = (struct amdahl){NAN, NAN, NAN};
	if (status)
		return status;
	out->speedup = (double)speedup;
	out->efficiency = (double)(speedup / p);
	if (f > 0 && range_store(1 / f, &out->limit)) {
		*out = (struct amdahl){NAN, NAN, NAN};
		return STAT_OVERFLOW;
	}
	return STAT_OK;
}

enum stat_status
scaling_gustafson(double serial_fraction, double p, struct gustafson *out)
{
	enum stat_status status = check_fraction(serial_fraction, p);
	long double speedup = p - serial_fraction * ((long double)p - 1);

	*out = (struct gustafson){NAN, NAN};
	if (status)
		return status;
	out->speedup = (double)speedup;
	out->efficiency = (double)(speedup / p);
	return STAT_OK;
}

static enum stat_status
check_points(const double *p, const double *values, size_t n)
{
	enum stat_status status = range_finite(p, n);

	if (n == 0)
		return STAT_TOO_FEW;
	if (status == STAT_OK)
		status = range_positive(values, n);
	for (size_t i = 0; status == STAT_OK && i < n; i++) {
		if (p[i] < 1 || p[i] > 1e9)
			status = STAT_BAD_ARGUMENT;
	}
	return status;
}

enum stat_status
scaling_serial_value(const double *p, const double *values, size_t n, double *serial)
{
	enum stat_status status = check_points(p, values, n);
	double *at_one;
	size_t count = 0;

	*serial = NAN;
	if (status)
		return status;
	at_one = n > SIZE_MAX / sizeof(*at_one) ? NULL : malloc(n * sizeof(*at_one));
	if (!at_one)
		return STAT_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		if (p[i] == 1)
			at_one[count++] = values[i];
	}
	status = describe_median(at_one, count, serial);
	free(at_one);
	return status;
}

enum stat_status
scaling_karp_flatt(const double *p, const double *t, size_t n, double *e)
{
	double serial;
	enum stat_status status = scaling_serial_value(p, t, n, &serial);

	for (size_t i = 0; i < n; i++)
		e[i] = NAN;
	if (status)
		return status;
	for (size_t i = 0; i < n; i++) {
		long double share = 1 / (long double)p[i];

		if (p[i] != 1)
			e[i] = (double)((t[i] / (long double)serial - share) / (1 - share));
		if (isinf(e[i]))
			status = STAT_OVERFLOW;
	}
	for (size_t i = 0; status && i < n; i++)
		e[i] = NAN;
	return status;
}

enum stat_status
scaling_work_span(double work, double span, double p, struct work_span *out)
{
	enum stat_status status = range_positive((double[]){work, span, p}, 3);
	struct work_span result;

	*out = (struct work_span){NAN, NAN};
	if (status)
		return status;
	if (span > work || p < 1)
		return STAT_BAD_ARGUMENT;
	if (range_store((long double)work / span, &result.parallelism) ||
	    range_store((long double)work / p + span, &result.bound))
		return STAT_OVERFLOW;
	*out = result;
	return STAT_OK;
}

enum stat_status
scaling_two_phase(double n, double p, struct two_phase *out)
{
	enum stat_status status = range_positive((double[]){n, p}, 2);
	long double share = (long double)p / n;
	long double efficiency = 1 / (1 + share * share / 2);
	struct two_phase result;

	*out = (struct two_phase){NAN, NAN, NAN, NAN};
	if (status)
		return status;
	if (p < 1)
		return STAT_BAD_ARGUMENT;
	if (range_store(p * efficiency, &result.speedup) ||
	    range_store(efficiency, &result.efficiency) ||
	    range_store(sqrtl(2) * n, &result.optimum_p) ||
	    range_store(n / sqrtl(2), &result.optimum_speedup))
		return STAT_OVERFLOW;
	*out = result;
	return STAT_OK;
}

#include "analysis/scaling_fit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/describe.h"
#include "analysis/nonlinear.h"
#include "analysis/range.h"
#include "analysis/scaling.h"

struct line {
	double c0, c1, cov00, cov01, cov11; /* the covariances are not finite for n = 2 */
	double r2;
};

static bool
varies(const double *values, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (values[i] != values[0])
			return true;
	}
	return false;
}

static struct line
fit_line(const double *x, const double *y, size_t n)
{
	struct line line;
	double rss, mean = 0, tss = 0;

	gsl_fit_linear(x, 1, y, 1, n, &line.c0, &line.c1, &line.cov00, &line.cov01, &line.cov11,
		       &rss);
	describe_mean(y, n, &mean);
	for (size_t i = 0; i < n; i++)
		tss += (y[i] - mean) * (y[i] - mean);
	line.r2 = varies(y, n) && tss > 0 ? 1 - rss / tss : NAN;
	return line;
}

static void
set_interval(struct scaling_fraction *fraction, double sd, size_t df, double conf)
{
	double half = df > 0 ? gsl_cdf_tdist_Qinv((1 - conf) / 2, (double)df) * sd : NAN;

	fraction->interval = isfinite(half) ? STAT_OK : STAT_NO_INTERVAL;
	if (!isfinite(half))
		half = NAN;
	fraction->lo = fraction->value - half;
	fraction->hi = fraction->value + half;
}

static enum stat_status
check(const double *p, const double *values, size_t n, double conf)
{
	enum stat_status status = range_positive(p, n);

	if (status == STAT_OK)
		status = range_positive(values, n);
	if (status)
		return status;
	if (!(conf > 0 && conf < 1))
		return STAT_BAD_ARGUMENT;
	return n < 2 || !varies(p, n) ? STAT_TOO_FEW : STAT_OK;
}

static enum stat_status
check_processors(const double *p, const double *values, size_t n, double conf)
{
	enum stat_status status = check(p, values, n, conf);

	for (size_t i = 0; status == STAT_OK && i < n; i++) {
		if (p[i] < 1 || p[i] > 1e9)
			status = STAT_BAD_ARGUMENT;
	}
	return status;
}

/* Two arrays of n values in one allocation, at *second the second; NULL without memory. */
static double *
two_arrays(size_t n, double **second)
{
	double *first = n > SIZE_MAX / (2 * sizeof(double)) ? NULL : malloc(2 * n * sizeof(double));

	*second = first ? first + n : NULL;
	return first;
}

static void
amdahl_fraction(const struct line *line, size_t n, double conf, struct scaling_fraction *out)
{
	double total = line->c0 + line->c1;
	double var = (line->c1 * line->c1 * line->cov00 - 2 * line->c0 * line->c1 * line->cov01 +
		      line->c0 * line->c0 * line->cov11) /
		     (total * total * total * total);

	out->value = line->c0 / total;
	set_interval(out, sqrt(fmax(var, 0)), n - 2, conf);
}

enum stat_status
scaling_fit_amdahl_times(const double *p, const double *t, size_t n, double conf,
			 struct amdahl_times *out)
{
	enum stat_status status = check_processors(p, t, n, conf);
	double *share, *scaled, largest;
	struct line line;

	*out = (struct amdahl_times){NAN, NAN, {NAN, NAN, NAN, status}, NAN};
	if (status)
		return status;
	share = two_arrays(n, &scaled);
	if (!share)
		return STAT_NO_MEMORY;
	/* of the order of 1, so that no square leaves the range of a double */
	describe_max(t, n, &largest);
	for (size_t i = 0; i < n; i++) {
		share[i] = 1 / p[i];
		scaled[i] = t[i] / largest;
	}
	line = fit_line(share, scaled, n);
	free(share);
	if (!(line.c0 + line.c1 > 0) || !isfinite(line.c0 * largest) ||
	    !isfinite(line.c1 * largest))
		return STAT_NO_FIT;
	out->serial_time = line.c0 * largest;
	out->parallel_time = line.c1 * largest;
	out->r2 = line.r2;
	amdahl_fraction(&line, n, conf, &out->serial);
	return STAT_OK;
}

static double
amdahl_speedup(double p, const double *f, double *derivative)
{
	double speedup = 1 / (*f + (1 - *f) / p);

	*derivative = -(1 - 1 / p) * speedup * speedup;
	return speedup;
}

static double
amdahl_sse(const double *p, const double *speedup, size_t n, double f)
{
	double sse = 0, ignored;

	for (size_t i = 0; i < n; i++) {
		double d = amdahl_speedup(p[i], &f, &ignored) - speedup[i];
		sse += d * d;
	}
	return sse;
}

/* The error may have more than one minimum on [0, 1]; a grid finds the lowest. */
static double
best_on_grid(const double *p, const double *speedup, size_t n)
{
	double best = 0, least = INFINITY;

	for (int i = 0; i <= 1000; i++) {
		double f = i / 1000.0, sse = amdahl_sse(p, speedup, n, f);
		if (sse < least) {
			least = sse;
			best = f;
		}
	}
	return best;
}

/* Of the points beside p = 1, where the speedup is 1 for any fraction. */
static enum stat_status
fit_fraction(const double *p, const double *speedup, size_t n, double conf,
	     struct scaling_fraction *out)
{
	struct nonlinear fit;
	double start = best_on_grid(p, speedup, n);
	enum stat_status status =
		nonlinear_fit(amdahl_speedup, p, speedup, n, 1, &start, conf, &fit);

	if (status)
		return status;
	out->value = fmin(fmax(fit.c[0], 0), 1);
	if (amdahl_sse(p, speedup, n, start) < amdahl_sse(p, speedup, n, out->value))
		out->value = start;
	out->interval = STAT_NO_INTERVAL;
	if (out->value == fit.c[0] && isfinite(fit.half[0])) {
		out->interval = STAT_OK;
		out->lo = out->value - fit.half[0];
		out->hi = out->value + fit.half[0];
	}
	return STAT_OK;
}

enum stat_status
scaling_fit_amdahl_speedup(const double *p, const double *t, size_t n, double conf,
			   struct scaling_fraction *out)
{
	enum stat_status status = check_processors(p, t, n, conf);
	double serial, *count, *speedup;
	size_t points = 0;

	*out = (struct scaling_fraction){NAN, NAN, NAN, status};
	if (status == STAT_OK)
		status = scaling_serial_value(p, t, n, &serial);
	if (status)
		return status;
	count = two_arrays(n, &speedup);
	if (!count)
		return STAT_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		if (p[i] == 1)
			continue;
		count[points] = p[i];
		speedup[points] = serial / t[i];
		/* squared in the sum of errors */
		if (!(speedup[points++] < 1e150))
			status = STAT_OVERFLOW;
	}
	if (status == STAT_OK)
		status = fit_fraction(count, speedup, points, conf, out);
	free(count);
	return status;
}

enum stat_status
scaling_fit_gustafson(const double *p, const double *s, size_t n, double conf,
		      struct scaling_fraction *out)
{
	enum stat_status status = n == 0 ? STAT_TOO_FEW : range_positive(p, n);
	double *more, *lost, var, rss;
	size_t points = 0;

	*out = (struct scaling_fraction){NAN, NAN, NAN, status};
	if (status == STAT_OK)
		status = range_positive(s, n);
	if (status == STAT_OK && !(conf > 0 && conf < 1))
		status = STAT_BAD_ARGUMENT;
	if (status)
		return status;
	more = two_arrays(n, &lost);
	if (!more)
		return STAT_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		if (p[i] < 1 || p[i] > 1e9 || s[i] > 1e150)
			status = STAT_BAD_ARGUMENT;
		more[i] = p[i] - 1;
		lost[i] = p[i] - s[i];
		points += p[i] != 1;
	}
	if (status == STAT_OK && points == 0)
		status = STAT_TOO_FEW;
	if (status == STAT_OK) {
		gsl_fit_mul(more, 1, lost, 1, n, &out->value, &var, &rss);
		/* a point at p = 1 adds its error to rss and so counts in the n - 1 of GSL */
		set_interval(out, sqrt(var), n - 1, conf);
	}
	free(more);
	return status;
}

enum stat_status
scaling_fit_power_law(const double *size, const double *t, size_t n, double conf,
		      struct power_law *out)
{
	enum stat_status status = check(size, t, n, conf);
	struct scaling_fraction exponent;
	double *x, *y;
	struct line line;

	*out = (struct power_law){NAN, NAN, NAN, NAN, NAN, status};
	if (status)
		return status;
	x = two_arrays(n, &y);
	if (!x)
		return STAT_NO_MEMORY;
	for (size_t i = 0; i < n; i++) {
		x[i] = log(size[i]);
		y[i] = log(t[i]);
	}
	/* neighbouring sizes may have the same logarithm */
	status = varies(x, n) ? STAT_OK : STAT_TOO_FEW;
	line = fit_line(x, y, n);
	free(x);
	if (status)
		return status;
	exponent.value = line.c1;
	set_interval(&exponent, sqrt(line.cov11), n - 2, conf);
	*out = (struct power_law){line.c1, exponent.lo, exponent.hi,
				  line.c0, line.r2,     exponent.interval};
	return STAT_OK;
}

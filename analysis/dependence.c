#include "analysis/dependence.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/describe.h"

/* Deviations from the mean; long double holds the square of any double. */
struct series {
	long double *d;
	size_t n;
	long double squares;
};

static bool
is_constant(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (x[i] != x[0])
			return false;
	}
	return true;
}

/* On STAT_OK series->d must be freed. */
static enum stat_status
series_init(struct series *series, const double *x, size_t n)
{
	enum stat_status status = describe_check(x, n);
	long double sum = 0;

	if (status)
		return status;
	if (n < 2)
		return STAT_TOO_FEW;
	/* asked of the values, since the rounding of the mean leaves squares above 0 */
	if (is_constant(x, n))
		return STAT_CONSTANT;
	if (n > SIZE_MAX / sizeof(*series->d))
		return STAT_NO_MEMORY;
	series->d = malloc(n * sizeof(*series->d));
	if (!series->d)
		return STAT_NO_MEMORY;
	series->n = n;
	series->squares = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	for (size_t i = 0; i < n; i++) {
		series->d[i] = x[i] - sum / n;
		series->squares += series->d[i] * series->d[i];
	}
	return STAT_OK;
}

static long double
autocorrelation(const struct series *series, size_t lag)
{
	long double sum = 0;

	for (size_t i = 0; i + lag < series->n; i++)
		sum += series->d[i] * series->d[i + lag];
	return sum / series->squares;
}

enum stat_status
dependence_acf1(const double *x, size_t n, double *out)
{
	struct series series;
	enum stat_status status = series_init(&series, x, n);

	*out = NAN;
	if (status)
		return status;
	*out = (double)autocorrelation(&series, 1);
	free(series.d);
	return STAT_OK;
}

enum stat_status
dependence_ljung_box(const double *x, size_t n, size_t lag, struct ljung_box *out)
{
	struct series series;
	enum stat_status status = series_init(&series, x, n);
	long double sum = 0;

	*out = (struct ljung_box){NAN, NAN};
	if (status)
		return status;
	if (lag == 0 || lag >= n) {
		free(series.d);
		return lag == 0 ? STAT_BAD_ARGUMENT : STAT_TOO_FEW;
	}
	for (size_t k = 1; k <= lag; k++) {
		long double r = autocorrelation(&series, k);
		sum += r * r / (n - k);
	}
	free(series.d);
	out->q = (double)((long double)n * (n + 2) * sum);
	out->p = gsl_cdf_chisq_Q(out->q, (double)lag);
	return STAT_OK;
}

enum stat_status
dependence_ess_geyer(const double *x, size_t n, struct ess_geyer *out)
{
	struct series series;
	enum stat_status status = series_init(&series, x, n);
	long double tau = -1;

	*out = (struct ess_geyer){NAN, NAN};
	if (status)
		return status;
	for (size_t k = 0; k + 1 < n; k += 2) {
		long double pair = autocorrelation(&series, k) + autocorrelation(&series, k + 1);
		if (!(pair > 0))
			break;
		tau += 2 * pair;
	}
	free(series.d);
	out->tau = (double)tau;
	out->ess = (double)(n / fmaxl(1, tau));
	return STAT_OK;
}

enum stat_status
dependence_ess_ar1(const double *x, size_t n, double *out)
{
	double r;
	enum stat_status status = dependence_acf1(x, n, &r);

	*out = NAN;
	if (status)
		return status;
	r = fmin(fmax(r, 0), 0.999);
	*out = (double)n * (1 - r) / (1 + r);
	return STAT_OK;
}

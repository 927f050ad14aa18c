#include "analysis/power.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

static int
inside(double x)
{
	return x > 0 && x < 1;
}

static int
positive(double x)
{
	return x > 0 && isfinite(x);
}

static double
z_sum(double alpha, double power)
{
	return gsl_cdf_ugaussian_Qinv(alpha / 2) + gsl_cdf_ugaussian_Pinv(power);
}

static double
t_sum(double alpha, double power, double df)
{
	return gsl_cdf_tdist_Qinv(alpha / 2, df) + gsl_cdf_tdist_Pinv(power, df);
}

enum stat_status
power_mde(double sd, size_t n, double alpha, double power, struct power_mde *out)
{
	double error;

	*out = (struct power_mde){NAN, NAN, NAN};
	if (!inside(alpha) || !inside(power))
		return STAT_BAD_ARGUMENT;
	if (n < 2)
		return STAT_TOO_FEW;
	if (!isfinite(sd))
		return STAT_NOT_FINITE;
	if (sd <= 0)
		return sd == 0 ? STAT_CONSTANT : STAT_BAD_ARGUMENT;
	error = sd / sqrt((double)n);
	out->normal = z_sum(alpha, power) * error;
	out->t = t_sum(alpha, power, (double)n - 1) * error;
	out->percent_t = 100 * expm1(out->t);
	if (isfinite(out->percent_t))
		return STAT_OK;
	*out = (struct power_mde){NAN, NAN, NAN};
	return STAT_OVERFLOW;
}

/* The smallest n >= 2 that is enough by its own t quantiles; n is near the normal answer. */
static double
pairs_by_t(double ratio, double alpha, double power)
{
	double n = fmax(2, floor(pow(ratio * z_sum(alpha, power), 2)));

	while (n < pow(ratio * t_sum(alpha, power, n - 1), 2))
		n++;
	return n;
}

struct noncentral {
	double t, df, shift;
};

/* Density of s = sqrt(chi2 / df), times P(Z + shift > t s). */
static double
noncentral_part(double s, const struct noncentral *at)
{
	double density = 2 * at->df * s * gsl_ran_chisq_pdf(at->df * s * s, at->df);

	return density * gsl_cdf_ugaussian_Q(at->t * s - at->shift);
}

/*
 * Power of the two-sided t test of n pairs, its far tail left out, as R's power.t.test. By
 * Simpson's rule, since the integrand is smooth and 12 standard deviations hold all of it.
 */
static double
t_power(double n, double ratio, double alpha)
{
	enum { STEPS = 600 };
	struct noncentral at = {gsl_cdf_tdist_Qinv(alpha / 2, n - 1), n - 1, sqrt(n) / ratio};
	double width = 12 / sqrt(2 * at.df), lo = fmax(0, 1 - width);
	double step = (1 + width - lo) / STEPS, sum = 0;

	for (int i = 1; i < STEPS; i++)
		sum += (i % 2 ? 4 : 2) * noncentral_part(lo + i * step, &at);
	return sum * step / 3;
}

/* Fractional n; power grows with n, so halving finds it between lo and hi. */
static double
pairs_by_exact_t(double ratio, double alpha, double power, double hi)
{
	double lo = 2, z = gsl_cdf_ugaussian_Qinv(alpha / 2);

	/* the density of chi squared loses its digits, and t is normal but for the first term */
	if (hi > 1e6)
		return pow(ratio * z_sum(alpha, power), 2) + z * z / 2;
	if (!(t_power(lo, ratio, alpha) < power))
		return lo;
	while (t_power(hi, ratio, alpha) < power)
		hi *= 2;
	for (int step = 0; step < 60 && hi - lo > 1e-10 * hi; step++) {
		double middle = (lo + hi) / 2;
		if (t_power(middle, ratio, alpha) < power)
			lo = middle;
		else
			hi = middle;
	}
	return (lo + hi) / 2;
}

enum stat_status
power_pairs(double sd, double effect, double alpha, double power, struct power_pairs *out)
{
	double ratio = sd / log1p(effect);

	*out = (struct power_pairs){NAN, NAN, NAN, NAN, NAN};
	if (!inside(alpha) || !inside(power) || !positive(effect) || z_sum(alpha, power) <= 0)
		return STAT_BAD_ARGUMENT;
	if (!isfinite(sd))
		return STAT_NOT_FINITE;
	if (sd <= 0)
		return sd == 0 ? STAT_CONSTANT : STAT_BAD_ARGUMENT;
	if (!(ratio < 1e7))
		return STAT_OVERFLOW;
	out->normal = pow(z_sum(alpha, power) * ratio, 2);
	out->normal_ceil = ceil(out->normal - 1e-9);
	out->wilcoxon_ceil = ceil(out->normal * M_PI / 3 - 1e-9);
	out->t_iter = pairs_by_t(ratio, alpha, power);
	out->t_exact = pairs_by_exact_t(ratio, alpha, power, out->t_iter + 2);
	return STAT_OK;
}

static enum stat_status
count(double n, struct power_count *out)
{
	*out = (struct power_count){NAN, NAN, NAN};
	if (!isfinite(n) || n <= 0)
		return STAT_OVERFLOW;
	*out = (struct power_count){n, round(n), ceil(n - 1e-6)};
	return STAT_OK;
}

enum stat_status
power_standard_error(double cv, double diff, struct power_count *out)
{
	*out = (struct power_count){NAN, NAN, NAN};
	if (!positive(cv) || !positive(diff))
		return STAT_BAD_ARGUMENT;
	return count(pow(cv / diff, 2), out);
}

enum stat_status
power_binomial(double z, double p, double margin, struct power_count *out)
{
	*out = (struct power_count){NAN, NAN, NAN};
	if (!positive(z) || !inside(p) || !inside(margin))
		return STAT_BAD_ARGUMENT;
	return count(z * z * p * (1 - p) / (margin * margin), out);
}

enum stat_status
power_binomial_margin(double z, double p, double n, double *out)
{
	*out = NAN;
	if (!positive(z) || !inside(p) || !(positive(n) && n >= 1))
		return STAT_BAD_ARGUMENT;
	*out = z * sqrt(p * (1 - p) / n);
	return STAT_OK;
}

enum stat_status
power_sampling_seconds(double z, double p, double margin, double rate_hz, double *out)
{
	struct power_count samples;
	enum stat_status status = power_binomial(z, p, margin, &samples);

	*out = NAN;
	if (status == STAT_OK && !positive(rate_hz))
		status = STAT_BAD_ARGUMENT;
	if (status == STAT_OK)
		*out = samples.ceil / rate_hz;
	return status;
}

enum stat_status
power_poisson_error(double events, double *out)
{
	*out = NAN;
	if (!isfinite(events))
		return STAT_NOT_FINITE;
	if (events < 1)
		return STAT_TOO_FEW;
	*out = 1 / sqrt(events);
	return STAT_OK;
}

enum stat_status
power_confidence_sequence(double t, double rho2, double alpha, double sd, double *out)
{
	double grown = t * rho2 + 1;

	*out = NAN;
	if (!isfinite(t) || !positive(rho2) || !inside(alpha) || !positive(sd))
		return STAT_BAD_ARGUMENT;
	if (t < 1)
		return STAT_TOO_FEW;
	*out = sd * sqrt(2 * grown / (t * t * rho2) * log(sqrt(grown) / alpha));
	return STAT_OK;
}

static double
log_smallest_p(size_t n_ab, size_t n_ba)
{
	double a = (double)n_ab, b = (double)n_ba;

	return fmin(0, M_LN2 + gsl_sf_lngamma(a + 1) + gsl_sf_lngamma(b + 1) -
			       gsl_sf_lngamma(a + b + 1));
}

enum stat_status
power_smallest_p(size_t n_ab, size_t n_ba, double *out)
{
	*out = NAN;
	if (n_ab == 0 || n_ba == 0)
		return n_ab + n_ba ? STAT_ONE_ORDER : STAT_TOO_FEW;
	*out = exp(log_smallest_p(n_ab, n_ba));
	return STAT_OK;
}

enum stat_status
power_pairs_for_p(double p, size_t *pairs)
{
	*pairs = 0;
	if (!(p > 0 && p <= 1))
		return STAT_BAD_ARGUMENT;
	do
		++*pairs;
	while (*pairs < 2 || log_smallest_p(*pairs / 2, *pairs - *pairs / 2) > log(p) + 1e-12);
	return STAT_OK;
}

enum stat_status
power_plan_pairs(double sd, double effect, double alpha, double power, double *pairs)
{
	struct power_pairs needed;
	size_t least = 0;
	enum stat_status status = power_pairs(sd, effect, alpha, power, &needed);

	*pairs = NAN;
	if (status == STAT_OK)
		status = power_pairs_for_p(alpha, &least);
	if (status == STAT_OK)
		*pairs = fmax((double)least, fmax(needed.wilcoxon_ceil, needed.t_iter));
	return status;
}

#include "analysis/usl.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/describe.h"
#include "analysis/nonlinear.h"
#include "analysis/range.h"
#include "analysis/scaling.h"

static const struct usl_parameter no_parameter = {NAN, NAN, NAN};

static enum stat_status
check(const double *p, const double *x, size_t n, double conf)
{
	enum stat_status status = range_positive(p, n);

	if (status == STAT_OK)
		status = range_positive(x, n);
	for (size_t i = 0; status == STAT_OK && i < n; i++) {
		if (p[i] < 1 || p[i] > 1e9)
			status = STAT_BAD_ARGUMENT;
	}
	if (status == STAT_OK && !(conf > 0 && conf < 1))
		status = STAT_BAD_ARGUMENT;
	return status;
}

/* Up to three different values of p. */
static size_t
distinct(const double *p, size_t n)
{
	size_t count = n > 0;
	double second = 0;

	for (size_t i = 1; i < n && count < 3; i++) {
		if (p[i] == p[0] || (count == 2 && p[i] == second))
			continue;
		second = p[i];
		count++;
	}
	return count;
}

/* c = {gamma, alpha, beta}; a shorter c leaves out what its face of the bounds holds at 0. */
static double
throughput(double p, double gamma, double alpha, double beta, double derivatives[3])
{
	double bottom = 1 + alpha * (p - 1) + beta * p * (p - 1);
	double x = gamma * p / bottom;

	derivatives[0] = p / bottom;
	derivatives[1] = -x * (p - 1) / bottom;
	derivatives[2] = -x * p * (p - 1) / bottom;
	return x;
}

static double
model_full(double p, const double *c, double *derivatives)
{
	return throughput(p, c[0], c[1], c[2], derivatives);
}

static double
model_alpha(double p, const double *c, double *derivatives)
{
	double all[3], x = throughput(p, c[0], c[1], 0, all);

	derivatives[0] = all[0];
	derivatives[1] = all[1];
	return x;
}

static double
model_beta(double p, const double *c, double *derivatives)
{
	double all[3], x = throughput(p, c[0], 0, c[1], all);

	derivatives[0] = all[0];
	derivatives[1] = all[2];
	return x;
}

static double
model_none(double p, const double *c, double *derivatives)
{
	double all[3], x = throughput(p, c[0], 0, 0, all);

	derivatives[0] = all[0];
	return x;
}

/*
 * The four faces of alpha >= 0, beta >= 0: inside, beta = 0, alpha = 0, both. The optimum lies
 * inside, or else on the best face whose own optimum is within the bounds.
 */
static const struct face {
	nonlinear_model *model;
	size_t parameters;
	size_t alpha, beta; /* their index in c, 0 when held at 0 */
} faces[] = {
	{model_full, 3, 1, 2},
	{model_alpha, 2, 1, 0},
	{model_beta, 2, 0, 1},
	{model_none, 1, 0, 0},
};

static struct usl_parameter
parameter(const struct nonlinear *fit, size_t index)
{
	struct usl_parameter out = {fit->c[index], NAN, NAN};

	if (isfinite(fit->half[index])) {
		out.lo = out.value - fit->half[index];
		out.hi = out.value + fit->half[index];
	}
	return out;
}

static void
take_face(const struct face *face, const struct nonlinear *fit, struct usl *out)
{
	static const struct usl_parameter bound = {0, NAN, NAN};

	out->gamma = parameter(fit, 0);
	out->alpha = face->alpha ? parameter(fit, face->alpha) : bound;
	out->beta = face->beta ? parameter(fit, face->beta) : bound;
	out->alpha_at_bound = !face->alpha;
	out->beta_at_bound = !face->beta;
	out->sse = fit->sse;
}

/* p/x = (1 + alpha (p-1) + beta p (p-1))/gamma is linear, and starts the search. */
static enum stat_status
start_values(const double *p, const double *x, size_t n, double start[3])
{
	gsl_matrix *terms = gsl_matrix_alloc(n, 3), *covariance = gsl_matrix_alloc(3, 3);
	gsl_vector *y = gsl_vector_alloc(n), *c = gsl_vector_alloc(3);
	gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(n, 3);
	enum stat_status status = STAT_NO_MEMORY;
	double chisq;

	if (!terms || !covariance || !y || !c || !work)
		goto done;
	for (size_t i = 0; i < n; i++) {
		/* weighed by x/p, which makes the error that of x, roughly */
		double weight = x[i] / p[i];

		gsl_matrix_set(terms, i, 0, weight);
		gsl_matrix_set(terms, i, 1, weight * (p[i] - 1));
		gsl_matrix_set(terms, i, 2, weight * p[i] * (p[i] - 1));
		gsl_vector_set(y, i, 1);
	}
	status = gsl_multifit_linear(terms, y, c, covariance, &chisq, work) ? STAT_NO_FIT : STAT_OK;
	start[0] = 1 / gsl_vector_get(c, 0);
	start[1] = fmax(gsl_vector_get(c, 1) * start[0], 0);
	start[2] = fmax(gsl_vector_get(c, 2) * start[0], 0);
	if (!(start[0] > 0) || !isfinite(start[0])) {
		start[0] = x[0] / p[0];
		start[1] = start[2] = 0;
	}
done:
	if (work)
		gsl_multifit_linear_free(work);
	gsl_vector_free(c);
	gsl_vector_free(y);
	gsl_matrix_free(covariance);
	gsl_matrix_free(terms);
	return status;
}

static enum stat_status
best_face(const double *p, const double *x, size_t n, double conf, struct usl *out)
{
	double start[3];
	enum stat_status status = start_values(p, x, n, start);
	bool found = false;

	for (size_t f = 0; status == STAT_OK && f < sizeof(faces) / sizeof(*faces); f++) {
		const struct face *face = &faces[f];
		double from[3] = {start[0], start[face->alpha ? 1 : 2], start[2]};
		struct nonlinear fit;

		if (nonlinear_fit(face->model, p, x, n, face->parameters, from, conf, &fit))
			continue;
		if (fit.c[0] <= 0 || (face->alpha && fit.c[face->alpha] < 0) ||
		    (face->beta && fit.c[face->beta] < 0))
			continue;
		if (!found || fit.sse < out->sse)
			take_face(face, &fit, out);
		found = true;
		if (f == 0)
			break;
	}
	return status == STAT_OK && !found ? STAT_NO_FIT : status;
}

static void
scale_back(struct usl *usl, double scale)
{
	usl->gamma.value *= scale;
	usl->gamma.lo *= scale;
	usl->gamma.hi *= scale;
	usl->sse = (double)((long double)usl->sse * scale * scale);
	if (usl->beta.value > 0 && usl->alpha.value < 1)
		usl->peak_p = sqrt((1 - usl->alpha.value) / usl->beta.value);
}

enum stat_status
usl_fit(const double *p, const double *x, size_t n, double conf, struct usl *out)
{
	static const struct usl unavailable = {.gamma = {NAN, NAN, NAN},
					       .alpha = {NAN, NAN, NAN},
					       .beta = {NAN, NAN, NAN},
					       .sse = NAN,
					       .peak_p = NAN};
	enum stat_status status = check(p, x, n, conf);
	gsl_error_handler_t *handler;
	double *scaled, largest;

	*out = unavailable;
	if (status)
		return status;
	if (distinct(p, n) < 3)
		return STAT_TOO_FEW;
	scaled = n > SIZE_MAX / sizeof(*scaled) ? NULL : malloc(n * sizeof(*scaled));
	if (!scaled)
		return STAT_NO_MEMORY;
	/* of the order of 1, so that no square leaves the range of a double */
	describe_max(x, n, &largest);
	for (size_t i = 0; i < n; i++)
		scaled[i] = x[i] / largest;
	handler = gsl_set_error_handler_off();
	status = best_face(p, scaled, n, conf, out);
	gsl_set_error_handler(handler);
	free(scaled);
	if (status == STAT_OK) {
		scale_back(out, largest);
		if (!isfinite(out->gamma.value) || !isfinite(out->sse))
			status = STAT_OVERFLOW;
	}
	if (status)
		*out = unavailable;
	return status;
}

static double
half_width(double variance, size_t df, double conf)
{
	double half =
		df > 0 ? sqrt(variance) * gsl_cdf_tdist_Qinv((1 - conf) / 2, (double)df) : NAN;

	return isfinite(half) ? half : NAN;
}

/* On `rows` values beside p = 1, where both terms are 0: such a value tells nothing of the fit. */
static enum stat_status
regress(const double *p, const double *x, size_t n, size_t rows, double serial, double conf,
	struct usl_linear *out)
{
	gsl_matrix *terms = gsl_matrix_alloc(rows, 2), *covariance = gsl_matrix_alloc(2, 2);
	gsl_vector *y = gsl_vector_alloc(rows), *c = gsl_vector_alloc(2);
	gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(rows, 2);
	enum stat_status status = STAT_NO_MEMORY;
	struct usl_parameter *parameters[] = {&out->alpha, &out->beta};
	double chisq;

	if (!terms || !covariance || !y || !c || !work)
		goto done;
	for (size_t i = 0, row = 0; i < n; i++) {
		if (p[i] == 1)
			continue;
		gsl_matrix_set(terms, row, 0, p[i] - 1);
		gsl_matrix_set(terms, row, 1, p[i] * (p[i] - 1));
		gsl_vector_set(y, row++, p[i] * (serial / x[i]) - 1);
	}
	status = gsl_multifit_linear(terms, y, c, covariance, &chisq, work) ? STAT_NO_FIT : STAT_OK;
	for (size_t j = 0; status == STAT_OK && j < 2; j++) {
		double value = gsl_vector_get(c, j);
		double half = half_width(gsl_matrix_get(covariance, j, j), rows - 2, conf);

		*parameters[j] = (struct usl_parameter){value, value - half, value + half};
		if (!isfinite(value))
			status = STAT_NO_FIT;
	}
done:
	if (work)
		gsl_multifit_linear_free(work);
	gsl_vector_free(c);
	gsl_vector_free(y);
	gsl_matrix_free(covariance);
	gsl_matrix_free(terms);
	return status;
}

enum stat_status
usl_fit_linear(const double *p, const double *x, size_t n, double conf, struct usl_linear *out)
{
	enum stat_status status = check(p, x, n, conf);
	gsl_error_handler_t *handler;
	double serial;
	size_t rows = 0;

	*out = (struct usl_linear){no_parameter, no_parameter};
	if (status == STAT_OK)
		status = scaling_serial_value(p, x, n, &serial);
	if (status)
		return status;
	if (distinct(p, n) < 3)
		return STAT_TOO_FEW;
	for (size_t i = 0; i < n; i++)
		rows += p[i] != 1;
	handler = gsl_set_error_handler_off();
	status = regress(p, x, n, rows, serial, conf, out);
	gsl_set_error_handler(handler);
	if (status)
		*out = (struct usl_linear){no_parameter, no_parameter};
	return status;
}

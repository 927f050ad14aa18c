#include "analysis/nonlinear.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdbool.h>

struct problem {
	nonlinear_model *model;
	const double *x, *y;
	size_t n, k;
};

static int
residuals(const gsl_vector *c, void *context, gsl_vector *f)
{
	const struct problem *problem = context;
	double parameters[NONLINEAR_MAX], ignored[NONLINEAR_MAX];

	for (size_t j = 0; j < problem->k; j++)
		parameters[j] = gsl_vector_get(c, j);
	for (size_t i = 0; i < problem->n; i++)
		gsl_vector_set(f, i,
			       problem->model(problem->x[i], parameters, ignored) - problem->y[i]);
	return GSL_SUCCESS;
}

static int
jacobian(const gsl_vector *c, void *context, gsl_matrix *out)
{
	const struct problem *problem = context;
	double parameters[NONLINEAR_MAX], derivatives[NONLINEAR_MAX];

	for (size_t j = 0; j < problem->k; j++)
		parameters[j] = gsl_vector_get(c, j);
	for (size_t i = 0; i < problem->n; i++) {
		problem->model(problem->x[i], parameters, derivatives);
		for (size_t j = 0; j < problem->k; j++)
			gsl_matrix_set(out, i, j, derivatives[j]);
	}
	return GSL_SUCCESS;
}

static void
intervals(gsl_multifit_nlinear_workspace *work, const struct problem *problem, double conf,
	  struct nonlinear *out)
{
	size_t n = problem->n, k = problem->k;
	gsl_matrix *covariance = gsl_matrix_alloc(k, k);
	double quantile;

	if (n == k || !covariance ||
	    gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(work), 0, covariance)) {
		if (covariance)
			gsl_matrix_free(covariance);
		return;
	}
	quantile = gsl_cdf_tdist_Qinv((1 - conf) / 2, (double)(n - k));
	for (size_t j = 0; j < k; j++)
		out->half[j] = quantile *
			       sqrt(gsl_matrix_get(covariance, j, j) * out->sse / (double)(n - k));
	gsl_matrix_free(covariance);
}

/*
 * Where the search can't get on: has it arrived? At an optimum the residuals stand at right
 * angles to every column of the Jacobian, or there are none.
 */
static bool
is_optimum(gsl_multifit_nlinear_workspace *work, const struct problem *problem)
{
	const gsl_vector *f = gsl_multifit_nlinear_residual(work);
	double size = 0, left = gsl_blas_dnrm2(f), product;

	for (size_t i = 0; i < problem->n; i++)
		size = hypot(size, problem->y[i]);
	if (left <= 1e-12 * size)
		return true;
	for (size_t j = 0; j < problem->k; j++) {
		gsl_vector_view column = gsl_matrix_column(gsl_multifit_nlinear_jac(work), j);

		gsl_blas_ddot(&column.vector, f, &product);
		if (!(fabs(product) <= 1e-5 * left * gsl_blas_dnrm2(&column.vector)))
			return false;
	}
	return true;
}

static enum stat_status
minimise(gsl_multifit_nlinear_workspace *work, struct problem *problem, const double *start,
	 double conf, struct nonlinear *out)
{
	gsl_multifit_nlinear_fdf system = {.f = residuals,
					   .df = jacobian,
					   .n = problem->n,
					   .p = problem->k,
					   .params = problem};
	gsl_vector_const_view from = gsl_vector_const_view_array(start, problem->k);
	int info, status;

	if (gsl_multifit_nlinear_init(&from.vector, &system, work))
		return STAT_NO_FIT;
	status = gsl_multifit_nlinear_driver(500, 1e-12, 1e-14, 0, NULL, NULL, &info, work);
	if (status != GSL_SUCCESS && !is_optimum(work, problem))
		return STAT_NO_FIT;
	gsl_blas_ddot(gsl_multifit_nlinear_residual(work), gsl_multifit_nlinear_residual(work),
		      &out->sse);
	for (size_t j = 0; j < problem->k; j++) {
		out->c[j] = gsl_vector_get(gsl_multifit_nlinear_position(work), j);
		if (!isfinite(out->c[j]))
			return STAT_NO_FIT;
	}
	if (!isfinite(out->sse))
		return STAT_NO_FIT;
	intervals(work, problem, conf, out);
	return STAT_OK;
}

enum stat_status
nonlinear_fit(nonlinear_model *model, const double *x, const double *y, size_t n, size_t k,
	      const double *start, double conf, struct nonlinear *out)
{
	struct problem problem = {.model = model, .x = x, .y = y, .n = n, .k = k};
	gsl_error_handler_t *handler = gsl_set_error_handler_off();
	gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_workspace *work = NULL;
	enum stat_status status = STAT_NO_MEMORY;

	*out = (struct nonlinear){{NAN, NAN, NAN}, NAN, {NAN, NAN, NAN}};
	if (n < k || k == 0 || k > NONLINEAR_MAX)
		status = STAT_TOO_FEW;
	else
		work = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, n, k);
	if (work) {
		status = minimise(work, &problem, start, conf, out);
		gsl_multifit_nlinear_free(work);
	}
	gsl_set_error_handler(handler);
	return status;
}

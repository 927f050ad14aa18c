#include "analysis/sequential.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

/*
 * The score S = Z sqrt(t) moves like a Brownian motion: between looks it gains a normal step of
 * variance t(k) - t(k-1). density[i] is that of S at the nodes of a Simpson grid over the
 * region in which the looks so far went on.
 */
enum { NODES = 801 };

static const double z_max = 37; /* beyond it a tail probability is no longer a double */
static const double z_grid = 9; /* beyond it a density adds nothing to a sum */

struct grid {
	double bound; /* S between -bound and bound went on, or all of it that matters */
	double density[NODES];
};

static double
node(const struct grid *grid, size_t i)
{
	return grid->bound * (2.0 * (double)i / (NODES - 1) - 1);
}

static double
weight(const struct grid *grid, size_t i)
{
	double step = 2 * grid->bound / (NODES - 1);

	return step / 3 * (i == 0 || i == NODES - 1 ? 1 : i % 2 ? 4 : 2);
}

/* P(went on until now, and |S| > bound after a step of sd step). */
static double
crossing(const struct grid *grid, double step, double bound)
{
	double sum = 0;

	for (size_t i = 0; i < NODES; i++) {
		double s = node(grid, i);
		sum += weight(grid, i) * grid->density[i] *
		       (gsl_cdf_ugaussian_Q((bound - s) / step) +
			gsl_cdf_ugaussian_Q((bound + s) / step));
	}
	return sum;
}

static double
find_bound(const struct grid *grid, double step, double spend, double highest)
{
	double lo = 0, hi = highest;

	while (hi - lo > 1e-12 * highest) {
		double middle = (lo + hi) / 2;
		if (crossing(grid, step, middle) > spend)
			lo = middle;
		else
			hi = middle;
	}
	return (lo + hi) / 2;
}

static void
advance(const struct grid *from, double step, double bound, struct grid *to)
{
	to->bound = bound;
	for (size_t j = 0; j < NODES; j++) {
		double s = node(to, j), sum = 0;
		for (size_t i = 0; i < NODES; i++)
			sum += weight(from, i) * from->density[i] *
			       gsl_ran_ugaussian_pdf((s - node(from, i)) / step);
		to->density[j] = sum / step;
	}
}

static void
start(struct grid *grid, double t, double bound)
{
	grid->bound = bound;
	for (size_t i = 0; i < NODES; i++)
		grid->density[i] = gsl_ran_gaussian_pdf(node(grid, i), sqrt(t));
}

static double
spent_at(enum sequential_spending spending, double t, double alpha)
{
	if (spending == SEQUENTIAL_POCOCK)
		return alpha * log1p((M_E - 1) * t);
	return 4 * gsl_cdf_ugaussian_Q(gsl_cdf_ugaussian_Qinv(alpha / 4) / sqrt(t));
}

static void
find_bounds(enum sequential_spending spending, const double *t, size_t looks, double alpha,
	    struct grid *grid, struct grid *spare, struct sequential_look *out)
{
	double before = 0;

	for (size_t k = 0; k < looks; k++) {
		double root = sqrt(t[k]), bound, step = k ? sqrt(t[k] - t[k - 1]) : 0;
		struct grid *swap = grid;
		out[k].spent = spent_at(spending, t[k], alpha);
		if (k == 0)
			bound = root * fmin(z_max, gsl_cdf_ugaussian_Qinv(out[k].spent / 2));
		else
			bound = find_bound(grid, step, out[k].spent - before, z_max * root);
		before = out[k].spent;
		out[k].z = bound / root;
		out[k].nominal_p = 2 * gsl_cdf_ugaussian_Q(out[k].z);
		if (k + 1 == looks)
			break;
		bound = fmin(bound, z_grid * root);
		if (k == 0) {
			start(grid, t[k], bound);
			continue;
		}
		advance(grid, step, bound, spare);
		grid = spare;
		spare = swap;
	}
}

static enum stat_status
check(const double *t, size_t looks, double alpha)
{
	if (looks == 0)
		return STAT_TOO_FEW;
	if (!(alpha > 0 && alpha < 1) || looks > 50)
		return STAT_BAD_ARGUMENT;
	for (size_t k = 0; k < looks; k++) {
		if (!isfinite(t[k]))
			return STAT_NOT_FINITE;
		if (t[k] - (k ? t[k - 1] : 0) < 0.004999 || t[k] > 1 + 1e-12)
			return STAT_BAD_ARGUMENT;
	}
	return STAT_OK;
}

enum stat_status
sequential_bounds(enum sequential_spending spending, const double *information, size_t looks,
		  double alpha, struct sequential_look *out)
{
	enum stat_status status = check(information, looks, alpha);
	struct grid *grids = status ? NULL : malloc(2 * sizeof(*grids));

	for (size_t k = 0; k < looks; k++)
		out[k] = (struct sequential_look){NAN, NAN, NAN};
	if (status)
		return status;
	if (!grids)
		return STAT_NO_MEMORY;
	find_bounds(spending, information, looks, alpha, grids, grids + 1, out);
	free(grids);
	return STAT_OK;
}

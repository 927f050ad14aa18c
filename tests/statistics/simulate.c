#include "tests/statistics/simulate.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static void
independent(gsl_rng *rng, double *x, size_t runs, double sd)
{
	for (size_t i = 0; i < runs; i++)
		x[i] = gsl_ran_gaussian_ziggurat(rng, sd);
}

static void
fill_independent(gsl_rng *rng, double *x, size_t runs)
{
	independent(rng, x, runs, 0.02);
}

/* 4 % from the first run to the last, as a machine that warms up. */
static void
fill_drift(gsl_rng *rng, double *x, size_t runs)
{
	independent(rng, x, runs, 0.01);
	for (size_t i = 0; i < runs; i++)
		x[i] += 0.04 * (double)i / (double)runs;
}

static void
fill_walk(gsl_rng *rng, double *x, size_t runs)
{
	double level = 0;

	independent(rng, x, runs, 0.01);
	for (size_t i = 0; i < runs; i++)
		x[i] += level += gsl_ran_gaussian_ziggurat(rng, 0.01);
}

static void
fill_ar1(gsl_rng *rng, double *x, size_t runs)
{
	const double rho = 0.9, sd = 0.02;
	double level = gsl_ran_gaussian_ziggurat(rng, sd);

	for (size_t i = 0; i < runs; i++) {
		x[i] = level;
		level = rho * level + gsl_ran_gaussian_ziggurat(rng, sd * sqrt(1 - rho * rho));
	}
}

static void
periodic(gsl_rng *rng, double *x, size_t runs, double period)
{
	double start = gsl_ran_flat(rng, 0, 2 * M_PI);

	independent(rng, x, runs, 0.005);
	for (size_t i = 0; i < runs; i++)
		x[i] += 0.02 * sin(start + 2 * M_PI * (double)i / period);
}

static void
fill_periodic4(gsl_rng *rng, double *x, size_t runs)
{
	periodic(rng, x, runs, 4);
}

static void
fill_periodic10(gsl_rng *rng, double *x, size_t runs)
{
	periodic(rng, x, runs, 10);
}

/* Two levels 5 % apart, each kept for ten runs or so, as memory layouts or turbo states. */
static void
fill_modes(gsl_rng *rng, double *x, size_t runs)
{
	double level = gsl_ran_bernoulli(rng, 0.5) ? 0.05 : 0;

	independent(rng, x, runs, 0.01);
	for (size_t i = 0; i < runs; i++) {
		if (gsl_ran_bernoulli(rng, 0.1))
			level = 0.05 - level;
		x[i] += level;
	}
}

/* One run in twenty is hit by something of a tenth and more. */
static void
fill_spikes(gsl_rng *rng, double *x, size_t runs)
{
	independent(rng, x, runs, 0.01);
	for (size_t i = 0; i < runs; i++) {
		if (gsl_ran_bernoulli(rng, 0.05))
			x[i] += 0.1 + gsl_ran_exponential(rng, 0.2);
	}
}

/* A clock of one part in a hundred: most pairs tie. */
static void
fill_coarse(gsl_rng *rng, double *x, size_t runs)
{
	independent(rng, x, runs, 0.01);
	for (size_t i = 0; i < runs; i++)
		x[i] = log(round(100 * exp(x[i])) / 100);
}

const struct simulate_noise simulate_noises[] = {
	{"independent 2 %", fill_independent, 0},
	{"linear drift 4 %", fill_drift, 0},
	{"random walk", fill_walk, 0},
	{"AR(1), rho 0.9", fill_ar1, 0},
	{"periodic, 4 runs", fill_periodic4, 0},
	{"periodic, 10 runs", fill_periodic10, 0},
	{"two sticky modes", fill_modes, 0},
	{"independent 2 %, slot +1 %", fill_independent, 0.01},
	{"independent 2 %, slot +3 %", fill_independent, 0.03},
	{"spikes", fill_spikes, 0},
	{"coarse clock", fill_coarse, 0},
};

const size_t simulate_noise_count = sizeof(simulate_noises) / sizeof(simulate_noises[0]);

static void
draw_orders(gsl_rng *rng, enum pair_order *order, size_t pairs, size_t first, size_t chunk)
{
	size_t ab = 0, count;

	for (size_t start = 0; start < pairs; start += count) {
		size_t room = start ? chunk : first;
		size_t wanted;

		count = pairs - start < room ? pairs - start : room;
		wanted = (start + count + (gsl_rng_get(rng) & 1)) / 2 - ab;

		for (size_t i = 0; i < count; i++)
			order[start + i] = i < wanted ? PAIR_AB : PAIR_BA;
		ab += wanted;
		gsl_ran_shuffle(rng, order + start, count, sizeof(*order));
	}
}

void
simulate_session(gsl_rng *rng, const struct simulate_noise *noise, size_t pairs, size_t first,
		 size_t chunk, double effect, double *d, enum pair_order *order)
{
	double *x = memory_zeroed(2 * pairs + 1, sizeof(*x));

	draw_orders(rng, order, pairs, first, chunk);
	noise->fill(rng, x, 2 * pairs);
	for (size_t i = 0; i < pairs; i++)
		d[i] = x[2 * i + 1] - x[2 * i] + noise->slot +
		       (order[i] == PAIR_AB ? effect : -effect);
	free(x);
}

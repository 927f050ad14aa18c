#include "tests/statistics/simulate_models.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#include "analysis/block_fit.h"

enum { BLOCKS = 12, POINTS = 4 };

#define NOISE 0.01
#define SHARED 0.02 /* by the times of a block */

static const double processors[POINTS] = {1, 2, 4, 8};

static double
amdahl_time(double p)
{
	return 1.1 * (0.06 + 0.94 / p);
}

static double
gustafson_time(double p)
{
	return p / (p - 0.1 * (p - 1));
}

static double
usl_time(double p)
{
	return (1 + 0.08 * (p - 1) + 0.01 * p * (p - 1)) / (0.9 * p);
}

/* The serial program is noisy as well. */
static struct block_times
run_blocks(gsl_rng *rng, double (*law)(double p), bool weak, double *time)
{
	size_t b, i;

	for (b = 0; b < BLOCKS; b++) {
		double shared = exp(gsl_ran_gaussian(rng, SHARED));

		for (i = 0; i < POINTS; i++)
			time[b * POINTS + i] = law(processors[i]) * shared * exp(gsl_ran_gaussian(rng, NOISE));
	}
	return (struct block_times){processors, time, POINTS, BLOCKS, weak};
}

static bool
holds(const struct block_estimate *estimate, double truth)
{
	return estimate->interval == STAT_OK && estimate->lo <= truth && truth <= estimate->hi;
}

static size_t
cover_amdahl(gsl_rng *rng, size_t reps)
{
	double time[BLOCKS * POINTS];
	struct block_amdahl fit;
	size_t count = 0, r;

	for (r = 0; r < reps; r++) {
		struct block_times times = run_blocks(rng, amdahl_time, false, time);

		count += block_fit_amdahl(&times, 0.95, &fit) == STAT_OK && holds(&fit.serial, 0.06);
	}
	return count;
}

static size_t
cover_gustafson(gsl_rng *rng, size_t reps)
{
	double time[BLOCKS * POINTS];
	struct block_estimate fit;
	size_t count = 0, r;

	for (r = 0; r < reps; r++) {
		struct block_times times = run_blocks(rng, gustafson_time, true, time);

		count += block_fit_gustafson(&times, 0.95, &fit) == STAT_OK && holds(&fit, 0.1);
	}
	return count;
}

static size_t
cover_usl(gsl_rng *rng, size_t reps, size_t which)
{
	static const double truth[] = {0.9, 0.08, 0.01};
	double time[BLOCKS * POINTS];
	size_t count = 0, r;

	for (r = 0; r < reps; r++) {
		struct block_times times = run_blocks(rng, usl_time, false, time);
		struct block_usl fit;

		if (block_fit_usl(&times, 0.95, &fit) == STAT_OK)
			count += holds(which == 0 ? &fit.gamma : which == 1 ? &fit.alpha : &fit.beta, truth[which]);
	}
	return count;
}

static size_t
cover_alpha(gsl_rng *rng, size_t reps)
{
	return cover_usl(rng, reps, 1);
}

static size_t
cover_beta(gsl_rng *rng, size_t reps)
{
	return cover_usl(rng, reps, 2);
}

const struct simulate_law simulate_laws[] = {
	{"Amdahl's serial fraction", cover_amdahl},
	{"Gustafson's serial fraction", cover_gustafson},
	{"USL's contention", cover_alpha},
	{"USL's coherence", cover_beta},
};
const size_t simulate_law_count = sizeof simulate_laws / sizeof *simulate_laws;

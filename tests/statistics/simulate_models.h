#ifndef ASSAY_TESTS_SIMULATE_MODELS_H
#define ASSAY_TESTS_SIMULATE_MODELS_H

#include <gsl/gsl_rng.h>
#include <stddef.h>

/* Scaling runs that never were: a law with known parameters, 12 blocks, 1 % of noise on each time
 * and 2 % that a block's times share. */
struct simulate_law {
	const char *name;   /* of the parameter */
	size_t (*covered)(gsl_rng *rng, size_t reps); /* how many 95 % intervals hold the truth */
};

extern const struct simulate_law simulate_laws[];
extern const size_t simulate_law_count;

#endif

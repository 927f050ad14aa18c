#ifndef ASSAY_TESTS_SIMULATE_H
#define ASSAY_TESTS_SIMULATE_H

#include <gsl/gsl_rng.h>
#include <stddef.h>

#include "analysis/pairs.h"

/* Sessions that never ran: pairs whose true ratio is known, under noise as machines make it. */

/* Fills log times of runs one after another, about 0. */
typedef void simulate_noise_fill(gsl_rng *rng, double *x, size_t runs);

struct simulate_noise {
	const char *name;
	simulate_noise_fill *fill;
	double slot; /* added to the second run of each pair */
};

/* The noises of the table in STATISTICS.md, two slot effects, and some that are nastier. */
extern const struct simulate_noise simulate_noises[];
extern const size_t simulate_noise_count;

/*
 * A session of pairs, in chunks of chunk pairs after the first: the order is shuffled inside
 * each, half AB and half BA (an odd one is one off, the next corrects it). effect is log(b/a);
 * d = log(second/first) and order have room for pairs.
 */
void simulate_session(gsl_rng *rng, const struct simulate_noise *noise, size_t pairs, size_t first,
		      size_t chunk, double effect, double *d, enum pair_order *order);

#endif

#ifndef ASSAY_SCALING_BLOCKS_H
#define ASSAY_SCALING_BLOCKS_H

#include <jansson.h>

#include "analysis/pairs.h"

/*
 * The blocks of a case in which the serial program and every treatment of a series ran well: what
 * speedups and models are made of.
 */

struct scaling_blocks {
	size_t blocks, points;
	double *serial;          /* [blocks] time of the serial program */
	double *time;            /* [blocks * points] of the series, block after block */
	enum pair_order *orders; /* [blocks * points] PAIR_AB: the serial program ran first */
};

/* `values` of a treatment's document (session, pair, order, value), one list a point. */
void scaling_blocks_collect(const json_t *serial, const json_t *const *series, size_t points,
			    struct scaling_blocks *out);
void scaling_blocks_free(struct scaling_blocks *blocks);

/* How many times as fast point `to` is as the serial program. The exact 95 % interval of the primary
 * analysis (crossover.h); NaN where there is none. */
struct scaling_ratio {
	double value, lo, hi;
};
struct scaling_ratio scaling_blocks_speedup(const struct scaling_blocks *blocks, size_t to);

#endif

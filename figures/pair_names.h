#ifndef ASSAY_FIGURE_PAIR_NAMES_H
#define ASSAY_FIGURE_PAIR_NAMES_H

#include <jansson.h>

/*
 * What pairs of variants are called: of scalar_add and simd_add, scalar_mul and simd_mul the
 * pairs are add and mul, the two sides scalar and simd. Where names do not fall apart like
 * that, a pair is "simd_add over scalar_add", and the sides are the baseline and the other.
 */
struct pair_names {
	char *a, *b;     /* of the sides */
	json_t *labels;  /* of the pairs, a text each */
};

/* `pairs` is a list of [b, a]. */
void pair_names_make(const json_t *pairs, struct pair_names *names);
void pair_names_free(struct pair_names *names);

#endif

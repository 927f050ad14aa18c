#ifndef ASSAY_SENTENCE_H
#define ASSAY_SENTENCE_H

#include <jansson.h>

#include "base/buffer.h"

/* Numbers and verdicts in words; rounding happens here and in the report, nowhere else. */

/* A ratio with as many decimals as the half width of its interval carries, 2 to 5. */
int sentence_decimals(double lo, double hi);

/*
 * The sentence of a comparison document, such as "fused is 1.42 times as fast as two_loops
 * [1.40, 1.44] at n=4194304 (noise floor 0.6 %, 10 pairs, one build)". `metric` and `unit`
 * choose the words: times are fast and slow, anything else is less and more.
 */
void sentence_comparison(const json_t *comparison, const char *metric, const char *item,
			 const char *point_text, struct buffer *out);

/* "fused is at least 1.2 times as fast as two_loops at n=4194304" for a claim of study.json. */
void sentence_claim(const char *kind, const char *b, const char *a, double by, double within,
		    const char *point_text, struct buffer *out);

#endif

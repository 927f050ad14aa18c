#ifndef ASSAY_COMPARE_VERDICT_TEXT_H
#define ASSAY_COMPARE_VERDICT_TEXT_H

#include <jansson.h>

#include "base/buffer.h"

/* Appends "time of new / time of old 1.10 [1.08, 1.12]" for a comparison document of a metric's
 * document: no verdict. */
void verdict_text_ratio(const json_t *comparison, const json_t *metric, struct buffer *out);

/* What B costs / what A costs (time, memory) with its interval, above 1: B is worse. Of a metric
 * where higher is better it is A / B. NaN: unavailable. */
struct cost_ratio {
	double value, lo, hi;
};
void verdict_text_cost(const json_t *comparison, struct cost_ratio *ratio);

#endif

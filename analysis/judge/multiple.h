#ifndef ASSAY_MULTIPLE_H
#define ASSAY_MULTIPLE_H

#include <jansson.h>

/*
 * Several comparisons of one metric pay for each other: Holm over the comparisons of a case,
 * Benjamini-Hochberg where one program yields several items. Fills p_adjusted and correction in
 * each comparison of the metric's document; a verdict of faster or slower whose p_adjusted is
 * above 1 - its interval's level becomes inconclusive, with the reason and a new sentence.
 */
void multiple_adjust(json_t *metric, const char *point_text);

#endif

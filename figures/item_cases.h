#ifndef ASSAY_FIGURE_ITEM_CASES_H
#define ASSAY_FIGURE_ITEM_CASES_H

#include "figures/figure.h"

/*
 * Cases whose program yields several items, taken apart: copies of the case documents in which the
 * primary metric has one item alone, whose name is in "of_item" and behind the point's text. So
 * what draws a case draws an item of it.
 */

/* Of all cases of the figure (its option `item`: of that item only), in order. A new array. */
json_t *item_cases(const struct figure_input *input);

/* The names of the items in these cases, each once; "" where they have none. A new array. */
json_t *item_names(const json_t *cases);
/* The cases with that item alone, as many as before: without it where a case has it not. */
json_t *item_cases_of(const json_t *cases, const char *name);

#endif

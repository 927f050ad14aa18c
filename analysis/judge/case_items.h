#ifndef ASSAY_CASE_ITEMS_H
#define ASSAY_CASE_ITEMS_H

#include <jansson.h>

#include "analysis/judge/observations.h"
#include "schedule/plan.h"

/*
 * Which items the treatments of a case have, where a program yields named ones: two builds of a
 * benchmark binary need not hold the same benchmarks.
 */

/*
 * A new array, "items" in docs/formats.md: {item, treatments: [numbers of those that have it],
 * failed: [{treatment, name, groups, reason}]}, over the groups of the comparison. Empty where
 * items have no names.
 */
json_t *case_items(const struct plan *plan, const struct observations *all);

/* Its entry of that name, or NULL; borrowed. */
const json_t *case_items_find(const json_t *items, const char *item);

/* NULL, or why there is nothing to compare; the caller frees. */
char *case_items_absent(const struct plan *plan, const json_t *items, const char *item,
			const struct comparison *which);

#endif

#ifndef ASSAY_RATES_H
#define ASSAY_RATES_H

#include <jansson.h>

#include "analysis/mover.h"

/*
 * What a treatment that declares its work comes to: work over the median of wall_us, with the
 * interval of that median. Adds "work" to each case document that has any (layout "work" in
 * docs/formats.md); where a number is unavailable it is null.
 */
void rates_judge(const json_t *study, json_t *cases);

/* The entry of a case document's "work" for a treatment, NULL when it declares none. Borrowed. */
json_t *rates_find(const json_t *case_document, long long treatment);
/* "flop_rate" or "byte_rate" of such an entry; NaN where unavailable. */
struct estimate rates_get(const json_t *entry, const char *name);

#endif

#ifndef ASSAY_CHANGE_H
#define ASSAY_CHANGE_H

#include <jansson.h>

#include "schedule/plan.h"

/*
 * What differs between two identities, in words: an array of {"line", "kind", "treatment", "from",
 * "to", "text"} (docs/formats.md, "assay-diff-1"). Treatments have the names of `plan_to`, or of
 * `plan_from` where only that has the line; NULL: numbers. A new reference. Pure.
 */
json_t *change_list(const char *from_text, const char *to_text, const struct plan *plan_from,
		    const struct plan *plan_to);
/* The same of two regime.txt: [{"name", "from", "to"}]. NULL texts are unknown: null. */
json_t *change_regime(const char *from, const char *to);

#endif

#ifndef ASSAY_ITEM_WARNINGS_H
#define ASSAY_ITEM_WARNINGS_H

#include <jansson.h>

#include "schedule/plan.h"

/* Warnings of a case with several items: `document` is the case's, with its "items". */

/* Items that some treatments have and others have not, without having failed there. */
void item_warnings_one_sided(const struct plan *plan, const json_t *document, json_t *warnings);
void item_warnings_failed(const json_t *document, json_t *warnings);

/*
 * Takes the warnings of one item among those of all: each code once, with the worst as the
 * example. item_warnings_folded, after the last, says of how many items more they are true.
 */
void item_warnings_fold(json_t *all, json_t *of_item, const char *item);
void item_warnings_folded(json_t *all);

#endif

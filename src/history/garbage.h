#ifndef ASSAY_GARBAGE_H
#define ASSAY_GARBAGE_H

#include <jansson.h>

#include "history/named.h"

/*
 * What of results/ may go: folders of cases that no plan names, and temporary files that killed
 * sessions left. Nothing of a case that is named is touched but those; links are never followed,
 * and what does not look like a case's folder is left alone.
 */
struct garbage {
	json_t *cases;     /* [{"case_id", "kib", "identities", "sessions", "measured_at"}] */
	json_t *leftovers; /* paths; empty while a session runs in any case */
	json_t *odd;       /* ["results/x: why it is left alone"] */
};

/* -1 with *error when results/ cannot be looked at, or while a session runs in a case that would
 * go. garbage_free in both cases. */
int garbage_find(const struct named *named, struct garbage *garbage, struct error *error);
/* Removes all of it; stops at the first that cannot be. */
int garbage_remove(const struct garbage *garbage, struct error *error);
void garbage_free(struct garbage *garbage);

#endif

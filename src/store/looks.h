#ifndef ASSAY_LOOKS_H
#define ASSAY_LOOKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * looks.csv (at,pairs,rule): the ledger of analyses of a case from which someone could have
 * decided to go on or stop. One row a number of pairs; rewritten whole, so a kill never leaves
 * half a row.
 */

struct store_look {
	char *at;                  /* time text */
	int pairs;                 /* pairs that were there to see */
	char *rule;                /* "fixed", "until_ci", "looks", "max_pairs", "none" */
};

/* A missing file is no looks. */
int looks_read(const char *path, struct store_look **looks, size_t *count, struct error *error);
void looks_free(struct store_look *looks, size_t count);
/* Adds a row with the present time unless one for that many pairs is there; *added says whether. */
int looks_add(const char *path, int pairs, const char *rule, bool *added, struct error *error);

#endif

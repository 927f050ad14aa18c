#ifndef ASSAY_DIFF_H
#define ASSAY_DIFF_H

#include <jansson.h>

#include "history/past.h"

/*
 * Two identities of a case against each other: which lines of identity.txt and of the regime differ,
 * and the results of each treatment, unpaired. "assay-diff-1" of docs/formats.md, a new reference;
 * NULL with *error when an identity is not found.
 */
json_t *diff_document(const struct past *past, const char *from, const char *to, struct error *error);
/* The same in words; appends. */
void diff_put(const json_t *document, struct buffer *out);

#endif

#ifndef ASSAY_CASE_ID_H
#define ASSAY_CASE_ID_H

#include <stdbool.h>

#include "base/buffer.h"
#include "spec/study.h"

#define CASE_ID_SLUG 100 /* bytes at most */
#define CASE_ID_HASH 10  /* hex digits */
#define CASE_ID_MAX (CASE_ID_SLUG + 1 + CASE_ID_HASH)

/*
 * Appends the case's name: a readable slug of letters, digits, '.', '_' and '-', then '-' and a
 * hash of the experiment and the exact point. Safe as a file name whatever the point holds;
 * the order of the dimensions does not matter. Ids of unequal points differ unless two of 2^40
 * hashes meet; the caller checks that they do not.
 */
void case_id_append(struct buffer *out, const char *experiment, const struct point *point);
/* Whether a file of that name may be a case's. */
bool case_id_is_one(const char *name);

#endif

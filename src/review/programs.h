#ifndef ASSAY_REVIEW_PROGRAMS_H
#define ASSAY_REVIEW_PROGRAMS_H

#include <jansson.h>

#include "review/side.h"

/*
 * Are the programs that were built here those that were measured there? An array, each program of
 * the study once: {program: path, treatments: [names], same: bool, cause, libraries: [those that are
 * others]}: `same` means the same loaded content (identity.h), whatever its debug information; else
 * `cause` is the likely reason: another compiler, other flags, the build folder's path, an installed
 * program of another version, or other sources.
 */
json_t *programs_compare(const struct side *there, const struct side *here);

#endif

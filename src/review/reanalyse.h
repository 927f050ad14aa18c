#ifndef ASSAY_REVIEW_REANALYSE_H
#define ASSAY_REVIEW_REANALYSE_H

#include <stdio.h>

#include "base/error.h"

/*
 * Statistics, figures' data and report of a bundle, computed again from the raw records in it and
 * held against the shipped ones, byte for byte. Nothing of the bundle is run but its specs, in
 * their sandbox, for the prose; it counts as no look. What is the same and what is not goes to
 * `out`. `keep` as unpacked.h: NULL, and nothing stays.
 *
 * 0; or -1 with *error: EXIT_NOT_HELD when something differs, EXIT_FAILED when something could not
 * be made again, and what bundle_unpack says.
 */
int reanalyse_bundle(const char *bundle, const char *keep, FILE *out, struct error *error);

#endif

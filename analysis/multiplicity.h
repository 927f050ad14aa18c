#ifndef ASSAY_MULTIPLICITY_H
#define ASSAY_MULTIPLICITY_H

#include "analysis/stat.h"
#include <stddef.h>

/*
 * Adjusted p values of n tests, in the order of p: reject those at most alpha. adjusted has
 * room for n and may be p. STAT_TOO_FEW for n = 0, STAT_NOT_FINITE, STAT_BAD_ARGUMENT for a
 * p outside [0, 1]; then adjusted is all NaN.
 */

/* Familywise error, any dependence (Holm 1979): for comparisons and for claims. */
enum stat_status multiplicity_holm(const double *p, size_t n, double *adjusted);

/* False discovery rate (Benjamini and Hochberg 1995): for the items of one program. */
enum stat_status multiplicity_benjamini_hochberg(const double *p, size_t n, double *adjusted);

#endif

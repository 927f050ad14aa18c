#ifndef ASSAY_RANGE_H
#define ASSAY_RANGE_H

#include "analysis/stat.h"
#include <stddef.h>

/* What numbers may go into a formula, and what may come out of it. */

/* STAT_NOT_FINITE or STAT_NOT_POSITIVE when one of n values is, in that order. */
enum stat_status range_positive(const double *values, size_t n);

/* As describe_check, but no values are fine. */
enum stat_status range_finite(const double *values, size_t n);

/*
 * Stores a result that a double can hold; STAT_OVERFLOW, with NaN stored, when it is too large,
 * or became 0 without being 0.
 */
enum stat_status range_store(long double value, double *out);

#endif

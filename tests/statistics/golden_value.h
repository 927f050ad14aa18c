#ifndef ASSAY_TESTS_GOLDEN_VALUE_H
#define ASSAY_TESTS_GOLDEN_VALUE_H

#include "analysis/stat.h"
#include "tests/statistics/golden.h"

/*
 * What adapters read entries and build results with. NaN becomes null, "unavailable". An
 * adapter answers NULL when the entry lacks a column or param it needs, which fails the entry.
 */

/* An object of doubles: key, value, ..., NULL. */
json_t *golden_numbers(const char *key, ...);
void golden_put_array(json_t *object, const char *key, const double *values, size_t n);

/* A number among the params; `otherwise` where there is none. */
double golden_param(const struct golden_input *input, const char *key, double otherwise);

/* The same as a count; 0 where it is none: negative, or too large to be meant. */
size_t golden_count(const struct golden_input *input, const char *key, size_t otherwise);

/* The last column, which holds the values; NULL when there is none. */
const double *golden_series_of(const struct golden_input *input);

/* Zeroed room for n values, never NULL; the caller frees it. */
double *golden_room(size_t n);

#endif

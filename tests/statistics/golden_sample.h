#ifndef ASSAY_TESTS_GOLDEN_SAMPLE_H
#define ASSAY_TESTS_GOLDEN_SAMPLE_H

#include "tests/statistics/golden.h"

/*
 * What a one-sample statistic looks at, to be freed: the first column, or what params.transform
 * makes of the first two. All NaN where a column or the transform is unknown.
 */
double *golden_sample(const struct golden_input *input);

/* Any column of the entry's file by its name; NULL when there is none. */
const double *golden_column(const struct golden_input *input, const char *name);

/* The same as text. */
const char *const *golden_cells(const struct golden_input *input, const char *name);

/* A number among the params, NaN where there is none. */
double golden_needed(const struct golden_input *input, const char *key);

/* A rank that is 0 where it does not exist, which is NaN. */
double golden_rank(size_t rank);

#endif

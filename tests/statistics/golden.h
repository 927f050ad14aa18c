#ifndef ASSAY_TESTS_GOLDEN_H
#define ASSAY_TESTS_GOLDEN_H

#include <jansson.h>
#include <stddef.h>

/*
 * The table-driven golden test: golden.c reads golden.json and the CSVs beside it, finds the
 * adapter of each entry's statistic in the tables below, and holds what the adapter returns
 * against `expected` with the entry's tolerances. An entry with an unknown statistic fails.
 */

struct golden_input {
	json_t *params;            /* the entry's params object, borrowed */
	const char *const *names;  /* column names in the entry's order */
	size_t columns;
	const double *const *values; /* values[c][row]; NaN where the cell is not a number */
	const char *const *const *cells; /* cells[c][row]: the text, e.g. "AB" */
	size_t rows;
	const struct golden_input *aux;  /* the table named by a param such as aa_file, else NULL */
	size_t all_columns; /* after the entry's columns come the file's others, such as "order" */
};

/* Returns a new object with the fields of `expected`; json_null() for an unavailable value. */
typedef json_t *golden_run(const struct golden_input *input);

struct golden_adapter {
	const char *statistic;
	golden_run *run;
};

/* Each ends with {NULL, NULL}. */
extern const struct golden_adapter golden_samples[]; /* golden_samples.c */
extern const struct golden_adapter golden_pairs[];   /* golden_pairs.c */
extern const struct golden_adapter golden_plans[];   /* golden_plans.c */
extern const struct golden_adapter golden_series[];  /* golden_series.c */
extern const struct golden_adapter golden_groups[];  /* golden_groups.c */
extern const struct golden_adapter golden_models[];  /* golden_models.c */

#endif

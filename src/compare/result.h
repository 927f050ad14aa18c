#ifndef ASSAY_COMPARE_RESULT_H
#define ASSAY_COMPARE_RESULT_H

#include <stdio.h>

#include "compare/options.h"
#include "report/document.h"

/* What a comparison found, for people: sentences, table, picture, warnings, what was compared. */
struct result_notes {
	char *outputs;  /* NULL, or why the outputs were not compared */
};

/* Prints to `out`; with --quiet the sentences and what went wrong only. -1 with *error. */
int result_print(const struct compare_options *options, const struct report *report,
		 const struct result_notes *notes, FILE *out, struct error *error);

/*
 * --fail-if-slower: EXIT_NOT_HELD when a comparison is called slower (after the control of A against
 * itself and Holm's correction) by an interval of cost B / A that lies wholly above 1 + share;
 * EXIT_NOTHING when one has no interval; else EXIT_DONE. Names them on `out`.
 */
int result_gate(const struct report *report, double share, FILE *out);

#endif

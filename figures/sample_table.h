#ifndef ASSAY_FIGURE_SAMPLE_TABLE_H
#define ASSAY_FIGURE_SAMPLE_TABLE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/csv_table.h"

/* build/samples/C.csv of one case, or of the one item that the case was narrowed to. */
struct sample_table {
	struct csv_table csv;
	int run_id, phase, treatment, slot, sample, pair, status, item, used;
	int value;        /* column of the metric; -1: nobody has it */
	const char *name; /* of the item, "" for all; borrowed from the case document */
};

int sample_table_read(const json_t *case_document, const char *metric, struct sample_table *table,
		      struct error *error);
void sample_table_free(struct sample_table *table);

/* Does the row hold a sample of a group that ran well, of the item? */
bool sample_table_is_sample(const struct sample_table *table, size_t row);

#endif

#ifndef ASSAY_GROUP_CSV_H
#define ASSAY_GROUP_CSV_H

#include "report/document.h"

/*
 * The samples of an experiment's group report: build/report/groups/E.csv. A row a sample of the
 * groups that the report lists, with the parameters of its case as columns (docs/formats.md).
 * Reads build/samples/C.csv. -1 with *error.
 */
int group_csv_put(const struct report *report, const json_t *experiment, struct buffer *out,
		  struct error *error);

/* Does the experiment declare a group report? */
bool group_csv_wanted(const json_t *experiment);

#endif

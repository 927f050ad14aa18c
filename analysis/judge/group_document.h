#ifndef ASSAY_GROUP_DOCUMENT_H
#define ASSAY_GROUP_DOCUMENT_H

#include <jansson.h>

#include "analysis/judge/group_table.h"

/*
 * The group report as a document: the tables of group_table, what they were made with, and the
 * ratios that they come to, which describe and judge nothing.
 */

struct group_document_options {
	const char *metric; /* a column of samples.csv */
	struct group_table_options table; /* but column and microseconds, which follow the metric */
	const char *point_text;
	const json_t *comparisons; /* of the metric, as in docs/formats.md; NULL: not analysed */
};

/* As the plan's experiment declares it. */
struct group_document_options group_document_declared(const struct plan *plan);

/*
 * A new object, layout "assay-groups-1" in docs/formats.md. Speedups as everywhere: above 1 the
 * one named first is better; of the statistic that the checks go by, over the groups that take part.
 */
json_t *group_document(const struct plan *plan, const struct observations *all,
		       const struct group_document_options *options);

/* Adds to `warnings` what the document shows to be wrong. */
void group_document_warnings(const json_t *document, json_t *warnings);

#endif

#ifndef ASSAY_COMPARE_TABLE_H
#define ASSAY_COMPARE_TABLE_H

#include <jansson.h>

#include "compare/options.h"
#include "compare/screen.h"

/*
 * The commands of a case below each other: of the metric that is compared the median over the
 * groups with its interval, smallest, largest and median absolute deviation, in one unit; beside
 * them the medians of the whole process's other values.
 */
void table_put(const struct compare_options *options, const json_t *case_document,
	       const struct screen *screen, struct buffer *out);

#endif

#ifndef ASSAY_SEARCH_TABLE_H
#define ASSAY_SEARCH_TABLE_H

#include "report/document.h"

/* What the searches of the experiment's cases chose, and what became of it: as Markdown. Nothing
 * where the experiment has none. */
void search_table_put(const struct report *report, const json_t *experiment, struct buffer *out);

#endif

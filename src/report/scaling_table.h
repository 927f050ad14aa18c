#ifndef ASSAY_SCALING_TABLE_H
#define ASSAY_SCALING_TABLE_H

#include "report/document.h"

/* What "scaling" of each case of the experiment says, as Markdown; nothing where it has none. */
void scaling_table_put(const struct report *report, const json_t *experiment, struct buffer *out);

#endif

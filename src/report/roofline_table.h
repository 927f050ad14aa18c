#ifndef ASSAY_ROOFLINE_TABLE_H
#define ASSAY_ROOFLINE_TABLE_H

#include "report/document.h"

/* The roofline of an experiment as a section of report.md; nothing when it has none. */
void roofline_table_put(const struct report *report, const json_t *experiment, struct buffer *out);

#endif

#ifndef ASSAY_COUNTER_TABLE_H
#define ASSAY_COUNTER_TABLE_H

#include "base/buffer.h"
#include "report/document.h"

/* What was counted in an experiment that asks for counters, a section a case, and what could not be
 * counted and why. Markdown; nothing where none were asked for. */
void counter_tables_put(const struct report *report, const json_t *experiment, struct buffer *out);

#endif

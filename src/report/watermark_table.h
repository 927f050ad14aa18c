#ifndef ASSAY_WATERMARK_TABLE_H
#define ASSAY_WATERMARK_TABLE_H

#include "report/document.h"

/* What the perturbations of the experiment's kernels say, as Markdown; before its numbers, since it says
 * how those of perturbed variants are to be read. Nothing where there is none. */
void watermark_table_put(const struct report *report, const json_t *experiment, struct buffer *out);

#endif

#ifndef ASSAY_REPORT_SUMMARY_H
#define ASSAY_REPORT_SUMMARY_H

#include "base/buffer.h"
#include "report/document.h"

/* summary.csv: one row a comparison, metric and item, at full precision. */
void summary_write_csv(const struct report *report, struct buffer *out);
/* summary.txt, what a terminal shows: a line a comparison, the claims, what does not hold. */
void summary_write_text(const struct report *report, const char *folder, struct buffer *out);

#endif

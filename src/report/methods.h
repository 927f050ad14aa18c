#ifndef ASSAY_REPORT_METHODS_H
#define ASSAY_REPORT_METHODS_H

#include "base/buffer.h"
#include "report/document.h"

/* One methods sentence of an experiment, ready for a paper, and its sessions. Markdown. */
void methods_put(const struct report *report, const json_t *experiment, struct buffer *out);
/* The sentence alone, as plain text. */
void methods_put_sentence(const struct report *report, const json_t *experiment,
			  struct buffer *out);
/* Where and when the whole study was measured. Markdown. */
void methods_put_measured(const struct report *report, struct buffer *out);

#endif

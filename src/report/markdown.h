#ifndef ASSAY_REPORT_MARKDOWN_H
#define ASSAY_REPORT_MARKDOWN_H

#include "base/buffer.h"
#include "base/error.h"
#include "report/document.h"
#include "spec/host.h"

/*
 * The report as Markdown (CommonMark with tables): claims first, then each experiment with its
 * prose, numbers, figures and warnings, then how it was measured. report.html is this text
 * rendered. The prose's expressions are evaluated by the host. 0, or -1 with *error.
 */
int markdown_write(const struct report *report, struct host *host, const struct study *study,
		   struct buffer *out, struct error *error);

/* The page of one experiment of it: the same section, its claims and what of it does not hold, how it
 * was measured, a link to the report. */
int markdown_write_page(const struct report *report, struct host *host, const struct study *study,
			const json_t *experiment, struct buffer *out, struct error *error);

/* Text that Markdown must not read as markup, also inside a table. Appends. */
void markdown_put_text(const char *text, struct buffer *out);

#endif

#ifndef ASSAY_REPORT_PAPER_H
#define ASSAY_REPORT_PAPER_H

#include "base/buffer.h"
#include "base/error.h"
#include "report/numbers.h"

/*
 * Papers that take their numbers from the study by name (docs/papers/README.md). Pure: the text of
 * the paper in; `file` is for messages. 0, or -1 with *error at the line of the first name that is
 * not there.
 */

/* LaTeX: each \assay{name} outside comments. Names that are put together by TeX (they hold # or \)
 * are left to TeX, which stops at them by itself. */
int paper_check_latex(const struct numbers *numbers, const char *text, const char *file,
		      struct error *error);

/* Markdown: appends the text with each {{ name }} replaced, but for those in code. */
int paper_fill_markdown(const struct numbers *numbers, const char *text, const char *file,
			struct buffer *out, struct error *error);

#endif

#ifndef ASSAY_REPORT_LATEX_H
#define ASSAY_REPORT_LATEX_H

#include "base/buffer.h"
#include "report/document.h"

/*
 * results.tex: every number of the study as \assay{experiment/case/…}. A name that is not
 * there stops the paper's build with its line; numbers.h reads the file back. Keys:
 * <experiment>/<point>/<b>/<field>, the point as in the report ("n=16000"; "-" without a sweep);
 * see docs/papers/README.md.
 */
void latex_write(const struct report *report, struct buffer *out);

#endif

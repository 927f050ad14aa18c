#ifndef ASSAY_REPORT_HTML_H
#define ASSAY_REPORT_HTML_H

#include "base/buffer.h"
#include "base/error.h"

/*
 * Renders the report's Markdown as one HTML file: style inside, figures inline as SVG (read from
 * below `folder`), nothing fetched from anywhere. Raw HTML in prose is shown as text.
 */
int html_write(const char *title, const struct buffer *markdown, const char *folder,
	       struct buffer *out, struct error *error);

#endif

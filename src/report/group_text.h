#ifndef ASSAY_GROUP_TEXT_H
#define ASSAY_GROUP_TEXT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/buffer.h"

/* The group report (layout "assay-groups-1", docs/formats.md) for people. Rounding happens here:
 * six significant digits, the same in both forms. */

/* As plain text: build/report/groups/E.txt and `assay analyse --group-report`. */
void group_text_put(const json_t *document, struct buffer *out);

/* As a section of report.md: what was found of each variant, then every group. */
void group_markdown_put(const json_t *document, struct buffer *out);

/* Does a check of it say FAIL? */
bool group_text_fails(const json_t *document);

#endif

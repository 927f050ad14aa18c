#ifndef ASSAY_DIAGNOSIS_SECTION_H
#define ASSAY_DIAGNOSIS_SECTION_H

#include "base/buffer.h"
#include "report/document.h"

/* What the tools told of an experiment's programs, apart from its numbers, and what could not be run and
 * why. Markdown; nothing where no diagnosis was asked for. */
void diagnosis_section_put(const struct report *report, const json_t *experiment, struct buffer *out);

#endif

#ifndef ASSAY_LOG_H
#define ASSAY_LOG_H

#include <jansson.h>

#include "history/past.h"

/*
 * What was measured of a case: "assay-log-1" of docs/formats.md. The estimates come from the
 * stored records by the analysis that every edge uses; nothing is written, and it is no look.
 * Results that cannot be analysed are told with the reason. A new reference.
 */
json_t *log_document(const struct past *past);
/* The same in words; appends. */
void log_put(const json_t *document, struct buffer *out);

#endif

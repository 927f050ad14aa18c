#ifndef ASSAY_COUNTS_H
#define ASSAY_COUNTS_H

#include "base/buffer.h"
#include "schedule/plan.h"
#include "store/reader.h"
#include "store/record.h"

/* counters.csv (columns in docs/formats.md): what a group's COUNTER and NOCOUNTER lines say. */
void counts_put_header(struct buffer *out);
void counts_put(struct buffer *out, const struct plan *plan, const struct record *record,
		const struct reading *reading, bool used);

#endif

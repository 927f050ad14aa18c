#ifndef ASSAY_WHEN_H
#define ASSAY_WHEN_H

#include "base/buffer.h"

/* Appends "2026-12-01 08:15:00 UTC" for a record's "2026-12-01T08:15:00.123456789Z". */
void when_put(const char *time, struct buffer *out);

#endif

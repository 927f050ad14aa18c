#ifndef ASSAY_CLOCK_H
#define ASSAY_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/* The one place where the tool reads the time. */

int64_t clock_realtime_ns(void);  /* since 1970, UTC */
int64_t clock_monotonic_ns(void); /* CLOCK_MONOTONIC_RAW */

#define CLOCK_TEXT 64
/* "2026-12-01T08:15:00.123456789Z" for a realtime. */
void clock_text(int64_t realtime_ns, char text[CLOCK_TEXT]);

#endif

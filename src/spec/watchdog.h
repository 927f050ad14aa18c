#ifndef ASSAY_WATCHDOG_H
#define ASSAY_WATCHDOG_H

#include "spec/host_state.h"

/*
 * Lua's own limits see instructions of Lua. A single call of string.find can run for years inside
 * C, where nothing can be thrown: then the process ends, with the place in the spec on stderr and
 * EXIT_BAD_INPUT. Nothing is lost by it, since files are only ever replaced whole.
 */

/* One at a time. */
void watchdog_begin(struct host *host, int cpu_seconds);
void watchdog_end(void);

#endif

#ifndef ASSAY_MEASURE_H
#define ASSAY_MEASURE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "session/work.h"

/*
 * Measures a case: runs a session (session.h) for the blocks that the store lacks, until they are
 * there or its stop rule has enough, and writes build/session/<case_id> when nothing is left
 * to measure. Where nothing lacks, that is all it does.
 *
 * Reads build/plan/<case_id>.json and build/identity/<case_id>. Waits for the machine's lock.
 * Watches signals and the parent from its first call on (interrupt.h).
 */
struct measure_options {
	const char *case_id;
	bool retry;                    /* failed blocks again, as new attempts */
	const char *why;               /* measure as much once more, for this reason; NULL: no */
	const struct stop_rule *rule;  /* NULL: all pairs that are laid out */
	FILE *out;                     /* progress and messages; NULL: none */
	const struct session_watcher *watcher; /* session.h; NULL: none */
};

/* As session_run, after waiting for another session that measures the case; also EXIT_BAD_INPUT
 * for an unknown case. */
int measure_case(const struct measure_options *options, struct error *error);

#endif

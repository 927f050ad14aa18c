#ifndef ASSAY_MEASURE_H
#define ASSAY_MEASURE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "session/work.h"

/*
 * Measures a case: runs a session (session.h) for the blocks that the store lacks, one more each
 * time a stop rule asks for further pairs, and writes build/session/<case_id> when nothing is left
 * to measure. Where nothing lacks, that is all it does.
 *
 * Reads build/plan/<case_id>.json and build/identity/<case_id>. Waits for the machine's lock.
 * Watches signals and the parent from its first call on (interrupt.h).
 */
struct measure_options {
	const char *case_id;
	bool retry;                    /* failed blocks again, as new attempts */
	const char *why;               /* measure as much once more, for this reason; NULL: no */
	const struct stop_rule *rule;  /* NULL: stop_rule_fixed */
	FILE *out;                     /* progress and messages; NULL: none */
};

/* As session_run; also EXIT_FAILED when another session measures the case, EXIT_BAD_INPUT for an
 * unknown case. */
int measure_case(const struct measure_options *options, struct error *error);

#endif

#ifndef ASSAY_CASE_STATUS_H
#define ASSAY_CASE_STATUS_H

#include <stdbool.h>

#include "base/error.h"
#include "identity/hasher.h"

/* How a case's stored results stand to what would be measured now. */

enum case_state {
	CASE_FRESH,
	CASE_STALE,       /* results there, of another identity: changes */
	CASE_PARTIAL,     /* blocks are missing */
	CASE_FAILED,      /* all there or ended early, with failed blocks */
	CASE_EXPLORATORY, /* fresh, but it grew after a look */
	CASE_NEVER,       /* nothing measured under any identity */
	CASE_UNKNOWN,     /* why */
};
const char *case_state_name(enum case_state state);

struct case_status {
	enum case_state state;
	int planned, complete, failed; /* blocks of the present identity */
	char *changes; /* CASE_STALE: identity_diff's lines against the newest results; else "" */
	char *why;     /* CASE_UNKNOWN, CASE_EXPLORATORY; else "" */
};

/*
 * `machine` is machine_identity's text; `other_machine` "" or as ASSAY_MACHINE. What cannot be
 * told is CASE_UNKNOWN; -1 only for a damaged store or plan.
 */
int case_status_find(const char *case_id, struct hasher *hasher, const char *machine,
		     const char *other_machine, struct case_status *status,
		     struct error *error);
void case_status_unknown(struct case_status *status, const char *why);
void case_status_free(struct case_status *status);

#endif

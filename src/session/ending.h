#ifndef ASSAY_ENDING_H
#define ASSAY_ENDING_H

#include "base/error.h"
#include "identity/identity.h"
#include "schedule/plan.h"
#include "session/regime.h"

/* How a session ended, and whether it counts: end.json in docs/formats.md. */
struct ending {
	const char *folder;  /* of the session in the store */
	const struct plan *plan;
	const struct regime *regime;
	const char *how;
	char *invalid;       /* NULL, or why it does not count */
	int last_block;      /* the last that it completed; 0: none */
};

/* NULL: programs, inputs and the machine are what they were when it began. The caller frees. */
char *ending_why_invalid(const struct plan *plan, const struct identity *began,
			 const struct regime *regime);
int ending_write(const struct ending *ending, struct error *error);

#endif

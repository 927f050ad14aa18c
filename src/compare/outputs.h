#ifndef ASSAY_COMPARE_OUTPUTS_H
#define ASSAY_COMPARE_OUTPUTS_H

#include "store/store.h"

/*
 * Do the commands print the same? Answered from the groups in the store that ran well. Only
 * outputs that stay the same from run to run can be held against each other.
 */

#define OUTPUTS_COMPARED_BYTES ((size_t)1 << 20)

enum outputs_finding {
	OUTPUTS_TOO_FEW,  /* a command has not run twice yet: it can't be told */
	OUTPUTS_EQUAL,
	OUTPUTS_DIFFER,
	OUTPUTS_VARY,     /* one command's own outputs differ */
	OUTPUTS_LARGE,    /* beyond OUTPUTS_COMPARED_BYTES */
};

/* *detail says which and where for people, NULL with EQUAL and TOO_FEW; the caller frees. */
enum outputs_finding outputs_look(const struct store_case *store, const struct plan *plan,
				  char **detail);

#endif

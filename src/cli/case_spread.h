#ifndef ASSAY_CASE_SPREAD_H
#define ASSAY_CASE_SPREAD_H

#include <stddef.h>

#include "base/error.h"

/* How much the pairs of an analysed case scatter, one entry a comparison of the primary metric. */
struct case_spread {
	char *name;      /* "fused against two_loops", with the item where there are several */
	size_t pairs;
	double sd;       /* of log(b/a) of single pairs, the slot effect taken out; NaN: unknown */
};

/* From build/stats/<case_id>.json. The caller frees with case_spread_free. */
int case_spread_read(const char *case_id, struct case_spread **list, size_t *count,
		     struct error *error);
void case_spread_free(struct case_spread *list, size_t count);

#endif

#ifndef ASSAY_BLOCKED_H
#define ASSAY_BLOCKED_H

#include "spec/variant.h"

/*
 * The dimensions of a sweep that are compared inside the block, not across time: a treatment is a
 * variant at one value of each of them.
 */

#define BLOCKED_TREATMENTS 64 /* of one experiment at most */

struct blocked_treatment {
	const struct variant *variant;
	char *name;          /* the variant's, plus the values that it does not fix itself */
	struct point values; /* of all blocked dimensions, in the sweep's order */
};
struct blocked_treatments {
	struct blocked_treatment *items;
	size_t count;
};

/* Reads `blocked` into out->sweep, which is complete otherwise. */
void blocked_read(const struct fields *experiment, struct experiment *out);

/* Every variant at every value that its `at` leaves, variants first; without blocked dimensions
 * the variants as they are. */
struct blocked_treatments blocked_expand(const struct fields *experiment, const struct variant *const *variants,
					 size_t variant_count, const struct experiment *out);

/* Refuses a blocked dimension that makes no difference to a variant. The cases are complete. */
void blocked_check_used(const struct blocked_treatments *treatments, const struct experiment *out);

/* Adds `treatment("name", { threads = 2 })`, which gives the treatment's name, to the names of specs
 * and texts. */
int blocked_name(lua_State *L);

#endif

#ifndef ASSAY_EXPAND_H
#define ASSAY_EXPAND_H

#include "spec/fields.h"
#include "spec/variant.h"

#define EXPAND_CASES 100000 /* of one experiment at most */

/* Reads `sweep` into out->sweep. */
void expand_read_sweep(const struct fields *experiment, struct experiment *out);

/* Makes out->cases: every point of the sweep for which `when` holds, derived values added, all
 * placeholders of the variants filled. Other members of *out are complete. */
void expand_cases(const struct fields *experiment, const struct variant *const *variants,
		  size_t variant_count, struct experiment *out);

/* Reads a value of a point at the top of the stack; `path` names it in messages. */
struct point_value expand_value(const struct fields *fields, const char *name, const char *path);

#endif

#ifndef ASSAY_EXPAND_H
#define ASSAY_EXPAND_H

#include "spec/blocked.h"
#include "spec/fields.h"

#define EXPAND_CASES 100000 /* of one experiment at most */

/* Reads `sweep` into out->sweep. */
void expand_read_sweep(const struct fields *experiment, struct experiment *out);

/* Drops the treatments for which `when` is false at every point. A block holds the same treatments
 * in each case: refuses a `when` that leaves one out at some of the points that are measured. */
void expand_leave_out(const struct fields *experiment, const struct experiment *out,
		      struct blocked_treatments *treatments);

/* Makes out->cases: every point of the unblocked dimensions for which `when` holds, derived values
 * added, all placeholders filled. Other members of *out are complete. */
void expand_cases(const struct fields *experiment, const struct blocked_treatments *treatments,
		  struct experiment *out);

/* Reads a value of a point at the top of the stack; `path` names it in messages. */
struct point_value expand_value(const struct fields *fields, const char *name, const char *path);

#endif

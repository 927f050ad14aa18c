#ifndef ASSAY_LEFTOVERS_H
#define ASSAY_LEFTOVERS_H

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Ends processes that a group left behind, and no others. */

/* Child processes of this process, known by pid. */
struct children {
	pid_t *pids;
	size_t count;
};
/* -1 with *error when they can't be listed. children_free when done. */
int children_list(struct children *children, struct error *error);
void children_free(struct children *children);

/*
 * Kills and reaps every child that is not in `keep`, and whatever is handed to us as their
 * parent when they die (we are a subreaper), until none is left. Returns how many were still
 * running, -1 with *error.
 */
int leftovers_reap(const struct children *keep, struct error *error);

/*
 * The environment entry by which a session's groups are known: the session puts
 * LEFTOVERS_VARIABLE "=" token into the environment of each group. A token is fixed for the
 * session and of equal length for all.
 */
#define LEFTOVERS_VARIABLE "ASSAY_RUN"

/*
 * Kills all processes whose environment at their start held the token, waits until they are
 * gone, looks again until there are none. Returns how many; -1 with *error when some cannot be
 * killed. For a dead session's orphans, which are not our children.
 */
int leftovers_end(const char *token, struct error *error);

#endif

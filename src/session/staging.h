#ifndef ASSAY_STAGING_H
#define ASSAY_STAGING_H

#include <stddef.h>

#include "base/digest.h"
#include "base/error.h"
#include "schedule/plan.h"

/*
 * What a session launches: copies of the programs below build/stage/<case_id>/ at absolute paths
 * of equal length, and environments of equal size, since both move a process's memory. The last
 * copy is A', made from A as B is made from B.
 */
struct staged_program {
	char *path;
	char sha256[DIGEST_SHA256_HEX]; /* of the copy */
};

struct staging {
	char *token;                    /* the session's; in each environment */
	char *folder;                   /* absolute */
	char *stdout_path, *stderr_path; /* where a group's output goes */
	struct staged_program *programs; /* [count]: by treatment, the last is A' */
	size_t count;
	size_t environment_bytes;       /* common to all but for the lock's variables, with NULs */
	size_t environment_entries;
};

/* Makes the folder afresh. `token` (leftovers.h) has the same length in each session. Call
 * staging_end also after -1. */
int staging_make(const struct plan *plan, const char *token, struct staging *staging,
		 struct error *error);
/* Removes the folder too. */
void staging_end(struct staging *staging);

/* argv of a treatment: the staged path and the plan's arguments; staging_free_list. */
char **staging_arguments(const struct staging *staging, const struct plan *plan, int treatment);
/*
 * The whole environment of a treatment: HOME, PATH, LC_ALL=C, TZ=UTC, the session's token, the
 * machine lock's token and folder, the plan's own, and ASSAY_PAD_… up to the common size;
 * staging_free_list.
 */
char **staging_environment(const struct staging *staging, const struct plan *plan, int treatment);
void staging_free_list(char **list);

#endif

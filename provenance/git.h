#ifndef ASSAY_GIT_H
#define ASSAY_GIT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/*
 * What git says of the study's folder, asked through its plumbing: no optional lock is taken, no
 * hook or external program of the user's configuration runs but clean filters, names may hold
 * anything. results/, build/ and study.json's private paths are left out of diff and untracked files.
 */

struct git_status {
	char *problem;        /* NULL, or why git can't tell: no repository, not installed, … */
	char *commit;         /* NULL: no commits yet */
	char *branch;         /* NULL: detached head */
	char *prefix;         /* the study's folder in the repository: "" or "bench/" */
	bool has_submodules;
	char **lines;         /* of porcelain v2, tracked files that differ, but for results/, build/ */
	size_t line_count;
	bool changed_inside;  /* one of them is in the study's folder */
};

void git_status_read(struct git_status *status);
void git_status_free(struct git_status *status);
/* The path that one of its lines is of, relative to the study; NULL: outside of it. */
const char *git_status_path(const struct git_status *status, const char *line);

/* All four: appends what was asked; NULL, or why it could not be (the caller frees). */

/* The study's differences to the commit (to nothing, when there is none yet), at most `limit`
 * bytes. */
char *git_diff(const struct git_status *status, const json_t *study, size_t limit,
	       struct buffer *out);
/* Paths relative to the study, each ended by a NUL, sorted. */
char *git_untracked(const struct git_status *status, const json_t *study, struct buffer *out);
char *git_tracked(struct buffer *out);
/* "<mode> <commit> <stage>\t<path>", each ended by a NUL, of the submodules alone. */
char *git_submodules(struct buffer *out);

#endif

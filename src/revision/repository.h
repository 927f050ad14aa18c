#ifndef ASSAY_REPOSITORY_H
#define ASSAY_REPOSITORY_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"

/* A git repository with a work tree, as seen from a folder in it. Only read from. */
struct repository {
	char *folder;  /* absolute */
	char *top;     /* of the work tree, absolute */
	char *prefix;  /* of the folder in it: "" or "bench" */
	char *objects, *attributes, *shallow; /* absolute paths; the last two may not be there */
	char *format;  /* of object names: sha1, sha256 */
};

/* -1 with *error (EXIT_BAD_INPUT) where there is none; repository_close in both cases. */
int repository_open(const char *folder, struct repository *repository, struct error *error);
void repository_close(struct repository *repository);

/* The commit that `text` names (a branch, a tag, HEAD~2, an id, …), whole; the caller frees. NULL
 * with *error, which names a branch or tag that may have been meant. */
char *repository_commit(const struct repository *repository, const char *text,
			struct error *error);
/* The commit that is checked out; NULL: none yet. */
char *repository_head(const struct repository *repository);
/* Whether the commit and all that it says is here. */
bool repository_has(const struct repository *repository, const char *commit);

/*
 * The files of the work tree: those that git tracks and those that it would, each ended by a
 * NUL. A tracked one may have been deleted; a folder of another repository ends with '/'. Left out
 * is what lies in build/ or results/ of the study (the current folder).
 */
int repository_files(const struct repository *repository, struct buffer *out,
		     struct error *error);
/* What differs from the commit, as `git status --porcelain=v1` says it, by the same rule. */
int repository_changes(const struct repository *repository, struct buffer *out,
		       struct error *error);

#endif

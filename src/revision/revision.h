#ifndef ASSAY_REVISION_H
#define ASSAY_REVISION_H

#include "revision/repository.h"
#include "spec/study.h"

/*
 * A program made from its sources at a revision. All of it lies in one folder:
 *
 *	tree/		the files (tree.h), and what the build made of them
 *	revision	the commit, or what a look at the work tree says: changes when it does
 *	content		what all of it was made of: changes with the files or the commands only
 *	source.json	for provenance: {"revision", "commit", "tree", "dirty", "changes",
 *			"submodules", "build"}
 *	build.log	what the build said
 */
struct revision_wish {
	const char *repository; /* a folder in its work tree; the build runs in that of the tree */
	const char *revision;   /* as git takes it, or "WORKTREE" */
	const char *name;       /* for messages; NULL: the revision */
	const char *folder;     /* GIT_SOURCE_FOLDER of spec/git_source.h */
	struct texts build;     /* commands of a shell; {jobs} in them is the number of CPUs */
	const char *program;    /* must be there afterwards, seen from the build's folder; NULL: none */
	struct texts scripts;   /* so must these */
	const volatile int *interrupted;
};

/* Whether it says the work tree as it is. */
bool revision_is_work_tree(const char *revision);

/* Writes `revision` if it changed. -1 with *error. */
int revision_look(const struct revision_wish *wish, struct error *error);

/*
 * Makes all of it anew, with the machine's lock held shared. -1 with *error, which names the
 * revision and says what the build said last; EXIT_INTERRUPTED. Killed, too, it leaves nothing
 * running and the user's repository as it was.
 */
int revision_make(const struct revision_wish *wish, struct error *error);

#endif

#ifndef ASSAY_TREE_H
#define ASSAY_TREE_H

#include <jansson.h>

#include "revision/repository.h"
#include "revision/step.h"

/*
 * The files of a commit, or of the work tree as it is, in a folder of their own. The folder
 * becomes a small repository that borrows the objects of the first, so that `git describe` in a
 * build answers for the commit, and whatever a build does with git happens there. The user's
 * repository is never written to: no work tree is registered, no branch, index or lock touched, so
 * there is nothing to put right again, whenever we are killed.
 *
 * Submodules that the work tree has are made in the same way, at the commit that belongs to the
 * revision; where it has none there, their folder stays empty, as it does in the work tree.
 */

/* What a tree came to. */
struct tree {
	char *commit;        /* NULL: the work tree of a repository without commits */
	char *id;            /* of the content: git's of the tree; of a work tree "sha256:…" */
	json_t *changes;     /* of a work tree: "XY path" as `git status` says them, 1000 at most */
	json_t *submodules;  /* [{"path", "commit", "id"}]; "id" null: empty */
	bool dirty;          /* a work tree that differs from its commit */
};

/*
 * `commit` NULL: the work tree. `step` says how commands run; its folder is not used. -1 with
 * *error, and what was made so far is left in `folder`. tree_free in both cases.
 */
int tree_make(const struct repository *repository, const char *commit, const char *folder,
	      const struct step *step, struct tree *tree, struct error *error);
void tree_free(struct tree *tree);

/* Appends a text that changes when a file of the work tree or of a submodule does: by what stat
 * says, so it may change too often. */
int tree_look(const struct repository *repository, struct buffer *out, struct error *error);

#endif

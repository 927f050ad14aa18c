#ifndef ASSAY_ARGUMENT_FILES_H
#define ASSAY_ARGUMENT_FILES_H

#include <stdio.h>

#include "compare/options.h"
#include "revision/repository.h"

/* Which files the arguments of a command mean when it runs in the tree of a revision. */

/* A path of the work tree, as seen from the repository's `folder`, for a path that leads there
 * from the current folder; NULL when it leads elsewhere. The caller frees. */
char *argument_files_in_tree(const struct repository *repository, const char *path);

/*
 * For each argument that is a path, or holds one after "=": left as it is where all trees have what
 * the user's folder has there, with its files noted as `scripts`; else made absolute for all
 * revisions, told on `out` (unless NULL), with its files noted as `inputs`. {NAME} of the sweep
 * stands for anything. What is no file in the user's folder stays.
 */
void argument_files_settle(struct compare_options *options, const struct repository *repository,
			   FILE *out);

#endif

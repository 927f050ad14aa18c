#ifndef ASSAY_COMPARE_REVISIONS_H
#define ASSAY_COMPARE_REVISIONS_H

#include <stdio.h>

#include "compare/options.h"

/*
 * --rev: one command at several revisions. Each is built in a tree of its own (revision/tree.h) in
 * the study's folder, by the same steps that a spec's source = git { … } leads to, so that --keep
 * leaves such a spec. The command runs in the folder of the tree that is the current one in
 * the work tree, and its program is the tree's when its path leads into the work tree.
 */

/* Of what stands on the command line: commands become the words of the one, in every revision's
 * `args`, program included. Does nothing without --rev. */
int revisions_gather(struct compare_options *options, struct error *error);

/* Finds the commits, and the program where it is not of the trees. */
int revisions_resolve(struct compare_options *options, struct error *error);

/*
 * In the study's folder: makes the trees, then settles which files the arguments mean. A relative
 * path of a file is the tree's own where each tree has it; else the user's, by its absolute path,
 * for all. Says on `out`, unless that is NULL, what it does. Nothing without --rev.
 */
int revisions_build(struct compare_options *options, const volatile int *interrupted, FILE *out,
		    struct error *error);

#endif

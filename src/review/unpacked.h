#ifndef ASSAY_REVIEW_UNPACKED_H
#define ASSAY_REVIEW_UNPACKED_H

#include "base/error.h"
#include "compare/workspace.h"
#include "provenance/bundle.h"

/*
 * A bundle unpacked to be worked with, in a folder of its own: bundle/ is what was in it, shipped/
 * what was put aside there before it is made again.
 */
struct unpacked {
	struct workspace workspace;
	char *top; /* absolute: the folder of bundle/ and shipped/ */
	struct bundle_facts facts;
};

/*
 * Verifies and unpacks the bundle, packed or a folder (bundle.h), and goes into its study; from then
 * on ASSAY_HOME is the tool that came with it, where it did. `keep` and unpacked_close as
 * workspace.h. EXIT_BAD_INPUT also for names in build/study.json that lead elsewhere.
 */
int unpacked_open(const char *bundle, const char *keep, struct unpacked *unpacked,
		  struct error *error);
/* Before that, after a failure: where the folder's disk is full *error says so, and which folder it is. */
void unpacked_explain(const struct unpacked *unpacked, struct error *error);
void unpacked_close(struct unpacked *unpacked);

/* Moves a file or folder of the study to shipped/, or back; what is not there is nothing. */
int unpacked_put_aside(const struct unpacked *unpacked, const char *path, struct error *error);
int unpacked_bring_back(const struct unpacked *unpacked, const char *path, struct error *error);
/* "<top>/shipped/<path>"; the caller frees. */
char *unpacked_shipped(const struct unpacked *unpacked, const char *path);

#endif

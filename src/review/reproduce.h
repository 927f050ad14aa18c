#ifndef ASSAY_REVIEW_REPRODUCE_H
#define ASSAY_REVIEW_REPRODUCE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/*
 * A bundle's study built and measured here, and held against what was measured there: the two
 * machines, the programs, the effects, the claims; absolute times are not compared.
 */
struct reproduction {
	const char *bundle;
	const char *only;    /* an experiment; NULL: all */
	const char *keep;    /* unpacked.h */
	bool smoke;          /* few pairs, at most 90 s of measuring */
	bool yes;            /* do not ask */
	bool json;           /* the document instead of words */
	FILE *out;           /* the result */
	FILE *people;        /* questions and progress */
};

/*
 * The exit code: 0; EXIT_NOT_HELD when a claim flips or outputs disagree here; EXIT_NOTHING when
 * nothing was measured; EXIT_FAILED when groups failed. -1 with *error when it did not come to a
 * result.
 */
int reproduce_bundle(const struct reproduction *asked, struct error *error);

#endif

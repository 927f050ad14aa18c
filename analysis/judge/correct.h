#ifndef ASSAY_CORRECT_H
#define ASSAY_CORRECT_H

#include <stdbool.h>

#include "analysis/judge/observations.h"
#include "schedule/plan.h"

/*
 * Do the treatments compute the same? Compares the CHECK lines (equal, or within a declared
 * ratio) and, where declared, the SHA-256 of standard output, over all groups that ran well,
 * warm-ups included, within each declared set of variants.
 */
struct correctness {
	bool disagree;
	const char *status; /* "agree", "disagree", "not checked" */
	char *detail;       /* which two groups differ and how; "" */
};

void correctness_check(const struct plan *plan, const struct observations *all,
		       struct correctness *result);
void correctness_free(struct correctness *result);

#endif

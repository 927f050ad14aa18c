#ifndef ASSAY_REVIEW_MEASURING_H
#define ASSAY_REVIEW_MEASURING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "review/side.h"

/*
 * Measuring a study anew, in its folder: as its design says, or as a smoke run: the same programs,
 * arguments, warm-ups and statistics, fewer pairs, and not for longer than a given time.
 */

/* What is to be measured of one case. */
struct measuring_case {
	const struct side_case *there; /* borrowed */
	int pairs, aa_pairs;           /* of a smoke run */
	bool skipped;                  /* of a smoke run: not even two pairs fit */
	double expected_s;             /* from the times there; NaN: unknown */
};

struct measuring {
	struct measuring_case *cases;
	size_t count;
	bool smoke;
	double expected_s;             /* all together, as far as it is known */
	json_t *missing;               /* [{case_id, reason}]: what was not measured in the end */
};

/* Decides; borrows from `there`. Pure but for memory. */
void measuring_plan(const struct side *there, bool smoke, struct measuring *measuring);
void measuring_free(struct measuring *measuring);

/*
 * Measures all of it into results/ and writes build/stats/C.json. Progress goes to `out`. A case
 * that cannot be measured is noted in `missing`. -1 with *error: EXIT_INTERRUPTED, EXIT_FAILED
 * when the disk is full or the like.
 */
int measuring_run(struct measuring *measuring, FILE *out, struct error *error);
/* build/stats.json's document over the cases that were measured; a new reference, or NULL. */
json_t *measuring_judge(const struct measuring *measuring, const json_t *study, struct error *error);

#endif

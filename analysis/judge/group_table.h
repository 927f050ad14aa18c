#ifndef ASSAY_GROUP_TABLE_H
#define ASSAY_GROUP_TABLE_H

#include <jansson.h>

#include "analysis/grouping.h"
#include "analysis/judge/observations.h"
#include "schedule/plan.h"

/*
 * The group report of a case: for each treatment (and item) of the comparison every process with
 * its samples, and whether the processes agree with each other (analysis/grouping.h).
 */

struct group_table_options {
	int column;              /* of samples.csv */
	double trim_factor;      /* keep x <= factor * median of its group; 0 keeps all */
	bool microseconds;       /* the trim decides in whole nanoseconds */
	bool include_first;
	enum group_statistic by; /* what the checks hold against each other */
	double tolerance;        /* 0.05 */
	const bool *only;        /* [treatments]; NULL: all */
};

/*
 * A new array of {treatment, name, item, groups: [{group, session, order, block, n, kept, trimmed,
 * left_out: [sample numbers], mean, median, geomean, sd, min, max, spread, cpu_over_wall,
 * vs_overall, vs_before, flagged}], overall: {kept, mean, median, geomean, sd, max_deviation,
 * cpu_over_wall}, first, check: "PASS" | "FAIL" | "unavailable", reason, work: (group_work.h)}.
 * Numbers that do not exist are null; vs_* are relative differences; cpu_over_wall is the CPU time
 * of the kept samples together over their wall time.
 */
json_t *group_table(const struct plan *plan, const struct observations *all,
		    const struct group_table_options *options);

/* "mean", "median", "geomean". */
const char *group_statistic_name(enum group_statistic by);
/* False for another name. */
bool group_statistic_find(const char *name, enum group_statistic *by);

#endif

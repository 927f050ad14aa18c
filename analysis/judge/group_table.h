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
	double trim_factor;      /* keep x <= factor * median of its group */
	bool microseconds;       /* the trim decides in whole nanoseconds */
	bool include_first;
	enum group_statistic by; /* what the checks hold against each other */
	double tolerance;        /* 0.05 */
};

/*
 * A new array of {treatment, name, item, groups: [{group, session, order, n, kept, trimmed, mean,
 * median, geomean, sd, min, max, vs_overall, vs_before, flagged}], overall: {kept, mean, median,
 * geomean, sd, max_deviation}, first, check: "ok" | "FAIL" | "unavailable", reason}. Numbers that
 * do not exist are null; vs_* are relative differences.
 */
json_t *group_table(const struct plan *plan, const struct observations *all,
		    const struct group_table_options *options);

/* "mean", "median", "geomean". */
const char *group_statistic_name(enum group_statistic by);

#endif

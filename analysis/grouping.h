#ifndef ASSAY_GROUPING_H
#define ASSAY_GROUPING_H

#include "analysis/stat.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * The group report: do the groups (processes) of one variant agree with each other?
 *
 * x holds the samples of `groups` groups one after another, sizes[g] of them in group g, all in
 * one unit; results are in that unit. The first group is in the per-group list and, unless
 * asked for, in nothing else. Nothing is kept and nothing is left to free. The source article's
 * method; analysis across groups treats each as one observation instead (STATISTICS.md).
 */

struct group_rules {
	double trim_factor; /* keep x <= factor * median of its own group; 0 keeps all */
	bool microseconds;  /* x is times in us: the trim decides in integer nanoseconds */
	bool include_first; /* the first group takes part in pool and checks */
};

struct group_summary {
	size_t n, kept;      /* samples before and after the trim */
	double mean, median; /* of those kept, as all below */
	double min, max;
	double sd, geomean;      /* NaN with sd_status, geomean_status */
	enum stat_status status; /* why the group as a whole has no numbers */
	enum stat_status sd_status, geomean_status;
};

/*
 * Fills out[0..groups). STAT_TOO_FEW for no groups; otherwise STAT_OK, and a group without
 * numbers (empty, not finite, negative) says so in its own status.
 */
enum stat_status group_report(const double *x, const size_t *sizes, size_t groups,
			      const struct group_rules *rules, struct group_summary *out);

struct group_pool {
	size_t kept;
	double mean, median;
	double max_deviation; /* max |x - mean| */
	double sd, geomean;   /* NaN with sd_status, geomean_status */
	enum stat_status sd_status, geomean_status;
};

/*
 * The samples that survive the trim of their own group, pooled; the pool is not trimmed again,
 * so that a group that is slow as a whole stays in. Fails with the status of the first group
 * that takes part and has no numbers, STAT_TOO_FEW when none takes part.
 */
enum stat_status group_overall(const double *x, const size_t *sizes, size_t groups,
			       const struct group_rules *rules, struct group_pool *out);

enum group_statistic {
	GROUP_MEAN,
	GROUP_MEDIAN,
	GROUP_GEOMEAN,
};

struct group_checks {
	size_t first; /* 0-based index of the first group that takes part */
	size_t flagged_overall, flagged_adjacent;
	bool stable; /* nothing flagged */
};

/*
 * Holds each group against the pool, and against the group before it, by one statistic:
 * vs_overall[i] = group/overall - 1 for the groups from `first` on, adjacent[i] =
 * (group - group before)/overall for those after it; the caller gives both `groups` entries.
 * Flagged is what exceeds tolerance (such as 0.05) in size. `report` and `pool` come from the
 * two functions above with the same rules. At least two groups must take part
 * (STAT_TOO_FEW); the overall statistic must be above 0.
 */
enum stat_status group_checks(const struct group_summary *report, size_t groups,
			      const struct group_pool *pool, const struct group_rules *rules,
			      enum group_statistic by, double tolerance, double *vs_overall,
			      double *adjacent, struct group_checks *out);

#endif

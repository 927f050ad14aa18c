#include "analysis/grouping.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/describe.h"

/* Copies what the trim keeps of x, in order; kept has room for n values. */
static enum stat_status
trim(const double *x, size_t n, const struct group_rules *rules, double *kept, size_t *count)
{
	enum stat_status status = describe_check(x, n);
	unsigned char *keep;
	size_t survivors;

	*count = 0;
	if (status)
		return status;
	keep = malloc(n);
	if (!keep)
		return STAT_NO_MEMORY;
	if (rules->microseconds && rules->trim_factor != 0)
		status = describe_trim_upper_us(x, n, rules->trim_factor, keep, &survivors);
	else if (rules->trim_factor != 0)
		status = describe_trim_upper(x, n, rules->trim_factor, keep, &survivors);
	for (size_t i = 0; status == STAT_OK && i < n; i++) {
		if (rules->trim_factor == 0 || keep[i])
			kept[(*count)++] = x[i];
	}
	free(keep);
	return status;
}

static size_t
largest(const size_t *sizes, size_t groups)
{
	size_t most = 0;

	for (size_t g = 0; g < groups; g++)
		most = sizes[g] > most ? sizes[g] : most;
	return most;
}

static double *
room_for(size_t n)
{
	return n > SIZE_MAX / sizeof(double) ? NULL : malloc(n ? n * sizeof(double) : 1);
}

static void
summarise(const double *x, size_t n, const struct group_rules *rules, double *kept,
	  struct group_summary *out)
{
	size_t count;

	*out = (struct group_summary){.n = n,
				      .mean = NAN,
				      .median = NAN,
				      .min = NAN,
				      .max = NAN,
				      .sd = NAN,
				      .geomean = NAN};
	out->status = trim(x, n, rules, kept, &count);
	if (out->status == STAT_OK)
		out->status = describe_mean(kept, count, &out->mean);
	if (out->status == STAT_OK)
		out->status = describe_median(kept, count, &out->median);
	out->sd_status = out->geomean_status = out->status;
	if (out->status) {
		out->mean = NAN;
		return;
	}
	out->kept = count;
	describe_min(kept, count, &out->min);
	describe_max(kept, count, &out->max);
	out->sd_status = describe_sd(kept, count, &out->sd);
	out->geomean_status = describe_geomean(kept, count, &out->geomean);
}

enum stat_status
group_report(const double *x, const size_t *sizes, size_t groups, const struct group_rules *rules,
	     struct group_summary *out)
{
	double *kept;

	if (groups == 0)
		return STAT_TOO_FEW;
	kept = room_for(largest(sizes, groups));
	if (!kept)
		return STAT_NO_MEMORY;
	for (size_t g = 0; g < groups; g++) {
		summarise(x, sizes[g], rules, kept, &out[g]);
		x += sizes[g];
	}
	free(kept);
	return STAT_OK;
}

static size_t
first_group(const struct group_rules *rules)
{
	return rules->include_first ? 0 : 1;
}

static enum stat_status
gather(const double *x, const size_t *sizes, size_t groups, const struct group_rules *rules,
       double *pool, size_t *count)
{
	*count = 0;
	for (size_t g = 0; g < groups; g++) {
		size_t kept = 0;
		enum stat_status status = STAT_OK;

		if (g >= first_group(rules))
			status = trim(x, sizes[g], rules, pool + *count, &kept);
		if (status)
			return status;
		*count += kept;
		x += sizes[g];
	}
	return *count == 0 ? STAT_TOO_FEW : STAT_OK;
}

static enum stat_status
describe_pool(const double *pool, size_t n, struct group_pool *out)
{
	enum stat_status status = describe_mean(pool, n, &out->mean);

	if (status == STAT_OK)
		status = describe_median(pool, n, &out->median);
	if (status)
		return status;
	out->kept = n;
	out->max_deviation = 0;
	for (size_t i = 0; i < n; i++)
		out->max_deviation = fmax(out->max_deviation, fabs(pool[i] - out->mean));
	out->sd_status = describe_sd(pool, n, &out->sd);
	out->geomean_status = describe_geomean(pool, n, &out->geomean);
	return isfinite(out->max_deviation) ? STAT_OK : STAT_OVERFLOW;
}

enum stat_status
group_overall(const double *x, const size_t *sizes, size_t groups, const struct group_rules *rules,
	      struct group_pool *out)
{
	static const struct group_pool unavailable = {
		.mean = NAN, .median = NAN, .max_deviation = NAN, .sd = NAN, .geomean = NAN};
	size_t total = 0, count;
	enum stat_status status;
	double *pool;

	*out = unavailable;
	for (size_t g = 0; g < groups; g++)
		total += sizes[g];
	pool = room_for(total);
	if (!pool)
		return STAT_NO_MEMORY;
	status = gather(x, sizes, groups, rules, pool, &count);
	if (status == STAT_OK)
		status = describe_pool(pool, count, out);
	free(pool);
	if (status) {
		*out = unavailable;
		out->sd_status = out->geomean_status = status;
	}
	return status;
}

static double
of_group(const struct group_summary *group, enum group_statistic by)
{
	return by == GROUP_MEAN ? group->mean : by == GROUP_MEDIAN ? group->median : group->geomean;
}

static double
of_pool(const struct group_pool *pool, enum group_statistic by)
{
	return by == GROUP_MEAN ? pool->mean : by == GROUP_MEDIAN ? pool->median : pool->geomean;
}

/* Why the statistic of some group, or of the pool, is missing or can't be divided by. */
static enum stat_status
check_parts(const struct group_summary *report, size_t first, size_t groups,
	    const struct group_pool *pool, enum group_statistic by)
{
	for (size_t g = first; g < groups; g++) {
		if (report[g].status)
			return report[g].status;
		if (by == GROUP_GEOMEAN && report[g].geomean_status)
			return report[g].geomean_status;
	}
	if (by == GROUP_GEOMEAN && pool->geomean_status)
		return pool->geomean_status;
	if (!isfinite(of_pool(pool, by)))
		return STAT_NOT_FINITE;
	return of_pool(pool, by) > 0 ? STAT_OK : STAT_NOT_POSITIVE;
}

/* A deviation of exactly the tolerance is within it, whatever its last bit came out as. */
static bool
exceeds(double value, double tolerance)
{
	return fabs(value) > tolerance + 1e-12;
}

enum stat_status
group_checks(const struct group_summary *report, size_t groups, const struct group_pool *pool,
	     const struct group_rules *rules, enum group_statistic by, double tolerance,
	     double *vs_overall, double *adjacent, struct group_checks *out)
{
	size_t first = first_group(rules);
	double overall = of_pool(pool, by);
	enum stat_status status;

	*out = (struct group_checks){.first = first};
	for (size_t g = 0; g < groups; g++)
		vs_overall[g] = adjacent[g] = NAN;
	if (groups < first + 2)
		return STAT_TOO_FEW;
	if (!(tolerance >= 0))
		return STAT_BAD_ARGUMENT;
	status = check_parts(report, first, groups, pool, by);
	if (status)
		return status;
	for (size_t g = first; g < groups; g++) {
		double value = of_group(&report[g], by);

		vs_overall[g - first] = value / overall - 1;
		out->flagged_overall += exceeds(value / overall - 1, tolerance);
		if (g == first)
			continue;
		value = (value - of_group(&report[g - 1], by)) / overall;
		adjacent[g - first - 1] = value;
		out->flagged_adjacent += exceeds(value, tolerance);
	}
	out->stable = out->flagged_overall == 0 && out->flagged_adjacent == 0;
	return STAT_OK;
}

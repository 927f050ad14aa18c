#include "analysis/judge/group_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"

/* The processes of one treatment, their samples one after another. */
struct groups {
	double *x;
	size_t *sizes;
	size_t *index; /* into the observations */
	size_t count, samples;
};

const char *
group_statistic_name(enum group_statistic by)
{
	static const char *const names[] = {"mean", "median", "geomean"};

	return names[by];
}

static bool
belongs(const struct observation *one, size_t treatment, const char *item)
{
	return one->used && one->ok && one->phase == OBSERVED_AB &&
	       (size_t)one->treatment == treatment && strcmp(one->item, item) == 0;
}

static void
groups_collect(const struct observations *all, size_t treatment, const char *item, int column,
	       struct groups *groups)
{
	size_t i;

	memset(groups, 0, sizeof *groups);
	groups->sizes = memory_zeroed(all->count, sizeof *groups->sizes);
	groups->index = memory_zeroed(all->count, sizeof *groups->index);
	for (i = 0; i < all->count; i++) {
		double *x;
		size_t n;

		if (!belongs(&all->items[i], treatment, item))
			continue;
		n = observation_samples(all, i, column, &x);
		groups->x = memory_resize(groups->x, groups->samples + n + 1, sizeof *groups->x);
		if (n > 0)
			memcpy(groups->x + groups->samples, x, n * sizeof *x);
		free(x);
		groups->samples += n;
		groups->index[groups->count] = i;
		groups->sizes[groups->count++] = n;
	}
}

static void
groups_free(struct groups *groups)
{
	free(groups->x);
	free(groups->sizes);
	free(groups->index);
}

static void
set_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_number_or_null(value));
}

/* What group_checks says, NaN where it says nothing. */
struct verdicts {
	double *vs_overall, *vs_before;
	struct group_checks checks;
	enum stat_status status;
};

static json_t *
group_object(const struct observation *one, const struct group_summary *summary, size_t number,
	     const struct verdicts *verdicts, double tolerance)
{
	double overall = verdicts->vs_overall[number], before = verdicts->vs_before[number];
	double limit = tolerance + 1e-12; /* as group_checks */
	json_t *object = json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:b}", "group", (int)number + 1,
				   "session", one->session, "order", one->order, "n",
				   (int)summary->n, "kept", (int)summary->kept, "trimmed",
				   (int)(summary->n - summary->kept), "flagged",
				   fabs(overall) > limit || fabs(before) > limit);

	set_number(object, "mean", summary->mean);
	set_number(object, "median", summary->median);
	set_number(object, "geomean", summary->geomean);
	set_number(object, "sd", summary->sd);
	set_number(object, "min", summary->min);
	set_number(object, "max", summary->max);
	set_number(object, "vs_overall", overall);
	set_number(object, "vs_before", before);
	return object;
}

static json_t *
pool_object(const struct group_pool *pool)
{
	json_t *object = json_pack("{s:i}", "kept", (int)pool->kept);

	set_number(object, "mean", pool->mean);
	set_number(object, "median", pool->median);
	set_number(object, "geomean", pool->geomean);
	set_number(object, "sd", pool->sd);
	set_number(object, "max_deviation", pool->max_deviation);
	return object;
}

static void
check(const struct groups *groups, const struct group_summary *report, const struct group_pool *pool,
      const struct group_rules *rules, const struct group_table_options *options,
      struct verdicts *verdicts)
{
	size_t g, first;

	for (g = 0; g < groups->count; g++)
		verdicts->vs_overall[g] = verdicts->vs_before[g] = NAN;
	if (verdicts->status == STAT_OK)
		verdicts->status = group_checks(report, groups->count, pool, rules, options->by,
						options->tolerance, verdicts->vs_overall,
						verdicts->vs_before, &verdicts->checks);
	if (verdicts->status != STAT_OK)
		return;
	/* The checks have no entries for the groups that take no part: put each to its group. */
	first = verdicts->checks.first;
	for (g = groups->count; g-- > 0;) {
		verdicts->vs_overall[g] = g >= first ? verdicts->vs_overall[g - first] : NAN;
		verdicts->vs_before[g] = g > first ? verdicts->vs_before[g - first - 1] : NAN;
	}
}

static json_t *
treatment_table(const struct plan *plan, const struct observations *all, size_t treatment,
		const char *item, const struct group_table_options *options)
{
	struct group_rules rules = {options->trim_factor, options->microseconds,
				    options->include_first};
	struct groups groups;
	struct group_summary *report;
	struct group_pool pool = {0};
	struct verdicts verdicts = {.status = STAT_OK};
	json_t *list = json_array(), *object;
	size_t g;

	groups_collect(all, treatment, item, options->column, &groups);
	report = memory_zeroed(groups.count, sizeof *report);
	verdicts.vs_overall = memory_zeroed(groups.count, sizeof(double));
	verdicts.vs_before = memory_zeroed(groups.count, sizeof(double));
	group_report(groups.x, groups.sizes, groups.count, &rules, report);
	verdicts.status = group_overall(groups.x, groups.sizes, groups.count, &rules, &pool);
	check(&groups, report, &pool, &rules, options, &verdicts);
	for (g = 0; g < groups.count; g++)
		json_array_append_new(list, group_object(&all->items[groups.index[g]], &report[g], g,
							 &verdicts, options->tolerance));
	object = json_pack("{s:i, s:s, s:s, s:o, s:o, s:i, s:s, s:s}", "treatment", (int)treatment,
			   "name", plan->treatments[treatment].name, "item", item, "groups", list,
			   "overall", pool_object(&pool), "first", (int)verdicts.checks.first + 1, "check",
			   verdicts.status != STAT_OK ? "unavailable" : verdicts.checks.stable ? "ok" : "FAIL",
			   "reason", verdicts.status != STAT_OK ? stat_reason(verdicts.status) : "");
	free(report);
	free(verdicts.vs_overall);
	free(verdicts.vs_before);
	groups_free(&groups);
	return object;
}

json_t *
group_table(const struct plan *plan, const struct observations *all,
	    const struct group_table_options *options)
{
	json_t *list = json_array();
	size_t i, t;

	for (i = 0; i < all->name_count; i++)
		for (t = 0; t < plan->treatment_count; t++)
			json_array_append_new(list,
					      treatment_table(plan, all, t, all->names[i], options));
	return list;
}

#include "analysis/judge/group_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe.h"
#include "analysis/judge/group_work.h"
#include "base/json.h"
#include "base/memory.h"

/* The processes of one treatment, their samples one after another. */
struct groups {
	double *x;
	size_t *rows;        /* of the table, beside x */
	unsigned char *keep; /* beside x: what the trim of the own group keeps */
	size_t *sizes;
	size_t *index; /* into the observations */
	size_t count, samples;
};

static const char *const statistics[] = {"mean", "median", "geomean"};

const char *
group_statistic_name(enum group_statistic by)
{
	return statistics[by];
}

bool
group_statistic_find(const char *name, enum group_statistic *by)
{
	size_t i;

	for (i = 0; i < sizeof statistics / sizeof *statistics; i++)
		if (strcmp(statistics[i], name) == 0) {
			*by = (enum group_statistic)i;
			return true;
		}
	return false;
}

static bool
belongs(const struct observation *one, size_t treatment, const char *item)
{
	return one->used && one->ok && one->phase == OBSERVED_AB &&
	       (size_t)one->treatment == treatment && strcmp(one->item, item) == 0;
}

/* Appends the samples of a process that have a value. Returns their number. */
static size_t
take_samples(const struct observations *all, const struct observation *one, int column,
	     struct groups *groups)
{
	size_t room = groups->samples + one->rows, before = groups->samples, r;

	groups->x = memory_resize(groups->x, room + 1, sizeof *groups->x);
	groups->rows = memory_resize(groups->rows, room + 1, sizeof *groups->rows);
	for (r = one->first_row; r < one->first_row + one->rows; r++) {
		double value = observations_number(all, r, column);

		if (isnan(value))
			continue;
		groups->x[groups->samples] = value;
		groups->rows[groups->samples++] = r;
	}
	return groups->samples - before;
}

/* As grouping.c trims; a group that cannot be trimmed has no numbers and leaves nothing out. */
static void
mark_kept(struct groups *groups, const struct group_table_options *options)
{
	size_t g, at = 0, kept;

	groups->keep = memory_zeroed(groups->samples + 1, 1);
	memset(groups->keep, 1, groups->samples);
	for (g = 0; g < groups->count; at += groups->sizes[g++]) {
		if (options->trim_factor == 0)
			continue;
		if (options->microseconds)
			describe_trim_upper_us(groups->x + at, groups->sizes[g], options->trim_factor,
					       groups->keep + at, &kept);
		else
			describe_trim_upper(groups->x + at, groups->sizes[g], options->trim_factor,
					    groups->keep + at, &kept);
	}
}

static void
groups_collect(const struct observations *all, size_t treatment, const char *item,
	       const struct group_table_options *options, struct groups *groups)
{
	size_t i;

	memset(groups, 0, sizeof *groups);
	groups->sizes = memory_zeroed(all->count, sizeof *groups->sizes);
	groups->index = memory_zeroed(all->count, sizeof *groups->index);
	for (i = 0; i < all->count; i++) {
		if (!belongs(&all->items[i], treatment, item))
			continue;
		groups->index[groups->count] = i;
		groups->sizes[groups->count++] =
			take_samples(all, &all->items[i], options->column, groups);
	}
	mark_kept(groups, options);
}

static void
groups_free(struct groups *groups)
{
	free(groups->x);
	free(groups->rows);
	free(groups->keep);
	free(groups->sizes);
	free(groups->index);
}

static void
set_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_number_or_null(value));
}

/* The CPU time of the kept among the samples from..to over their wall time. */
static double
cpu_over_wall(const struct observations *all, const struct groups *groups, size_t from, size_t to)
{
	int wall_column = csv_table_column(&all->table, "wall_us");
	int cpu_column = csv_table_column(&all->table, "cpu_us");
	double wall = 0, cpu = 0;
	size_t i;

	for (i = from; i < to; i++)
		if (groups->keep[i]) {
			wall += observations_number(all, groups->rows[i], wall_column);
			cpu += observations_number(all, groups->rows[i], cpu_column);
		}
	return wall > 0 ? cpu / wall : NAN;
}

static size_t
start_of(const struct groups *groups, size_t number)
{
	size_t g, at = 0;

	for (g = 0; g < number; g++)
		at += groups->sizes[g];
	return at;
}

/* The numbers, in the column `sample`, of what the trim leaves out. */
static json_t *
left_out(const struct observations *all, const struct groups *groups, size_t number)
{
	size_t i, from = start_of(groups, number), to = from + groups->sizes[number];
	int column = csv_table_column(&all->table, "sample");
	json_t *list = json_array();

	for (i = from; i < to; i++)
		if (!groups->keep[i])
			json_array_append_new(list, json_integer((json_int_t)observations_number(all, groups->rows[i], column)));
	return list;
}

/* What group_checks says, NaN where it says nothing. */
struct verdicts {
	double *vs_overall, *vs_before;
	struct group_checks checks;
	enum stat_status status;
};

static json_t *
group_object(const struct observations *all, const struct groups *groups,
	     const struct group_summary *summary, size_t number, const struct verdicts *verdicts,
	     double tolerance)
{
	const struct observation *one = &all->items[groups->index[number]];
	double overall = verdicts->vs_overall[number], before = verdicts->vs_before[number];
	double limit = tolerance + 1e-12; /* as group_checks */
	size_t from = start_of(groups, number);
	json_t *object = json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:b}", "group", (int)number + 1,
				   "session", one->session, "order", one->order, "block", one->pair, "n",
				   (int)summary->n, "kept", (int)summary->kept, "trimmed",
				   (int)(summary->n - summary->kept), "flagged",
				   fabs(overall) > limit || fabs(before) > limit);

	json_object_set_new(object, "left_out", left_out(all, groups, number));
	set_number(object, "mean", summary->mean);
	set_number(object, "median", summary->median);
	set_number(object, "geomean", summary->geomean);
	set_number(object, "sd", summary->sd);
	set_number(object, "min", summary->min);
	set_number(object, "max", summary->max);
	set_number(object, "spread", summary->max - summary->min);
	set_number(object, "cpu_over_wall", cpu_over_wall(all, groups, from, from + groups->sizes[number]));
	set_number(object, "vs_overall", overall);
	set_number(object, "vs_before", before);
	return object;
}

static json_t *
pool_object(const struct observations *all, const struct groups *groups,
	    const struct group_pool *pool, bool include_first)
{
	size_t from = include_first || groups->count == 0 ? 0 : groups->sizes[0];
	json_t *object = json_pack("{s:i}", "kept", (int)pool->kept);

	set_number(object, "mean", pool->mean);
	set_number(object, "median", pool->median);
	set_number(object, "geomean", pool->geomean);
	set_number(object, "sd", pool->sd);
	set_number(object, "max_deviation", pool->max_deviation);
	set_number(object, "cpu_over_wall", cpu_over_wall(all, groups, from, groups->samples));
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
table_object(const struct plan *plan, const struct observations *all, size_t treatment,
	     const char *item, const struct groups *groups, const struct group_table_options *options)
{
	struct group_rules rules = {options->trim_factor, options->microseconds,
				    options->include_first};
	struct group_summary *report = memory_zeroed(groups->count, sizeof *report);
	struct group_pool pool = {0};
	struct verdicts verdicts = {.status = STAT_OK};
	json_t *list = json_array(), *object;
	size_t g;

	verdicts.vs_overall = memory_zeroed(groups->count, sizeof(double));
	verdicts.vs_before = memory_zeroed(groups->count, sizeof(double));
	group_report(groups->x, groups->sizes, groups->count, &rules, report);
	verdicts.status = group_overall(groups->x, groups->sizes, groups->count, &rules, &pool);
	check(groups, report, &pool, &rules, options, &verdicts);
	for (g = 0; g < groups->count; g++)
		json_array_append_new(list, group_object(all, groups, &report[g], g, &verdicts,
							 options->tolerance));
	object = json_pack("{s:i, s:s, s:O*, s:s, s:o, s:o, s:i, s:s, s:s}", "treatment", (int)treatment,
			   "name", plan->treatments[treatment].name, "blocked",
			   plan->treatments[treatment].blocked, "item", item, "groups", list,
			   "overall", pool_object(all, groups, &pool, options->include_first), "first",
			   options->include_first ? 1 : 2, "check",
			   verdicts.status != STAT_OK ? "unavailable" : verdicts.checks.stable ? "PASS" : "FAIL",
			   "reason", verdicts.status != STAT_OK ? stat_reason(verdicts.status) : "");
	free(report);
	free(verdicts.vs_overall);
	free(verdicts.vs_before);
	return object;
}

static json_t *
treatment_table(const struct plan *plan, const struct observations *all, size_t treatment,
		const char *item, const struct group_table_options *options)
{
	struct groups groups;
	json_t *object, *work;

	groups_collect(all, treatment, item, options, &groups);
	object = table_object(plan, all, treatment, item, &groups, options);
	work = group_work(&plan->treatments[treatment], all, groups.rows, groups.samples);
	json_object_set_new(object, "work", work);
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
			if (plan->treatments[t].skipped == NULL && (options->only == NULL || options->only[t]))
				json_array_append_new(list, treatment_table(plan, all, t, all->names[i],
									    options));
	return list;
}

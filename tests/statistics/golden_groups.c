/* Adapters to the statistics on groups of values and on levels of repetition. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/grouping.h"
#include "analysis/levels.h"
#include "base/json.h"
#include "base/memory.h"
#include "tests/statistics/golden_value.h"

/* Rows by the ids in some columns, the most significant first. */
struct row_order {
	const struct golden_input *input;
	size_t columns[LEVELS_MAX];
	size_t count;
	size_t *rows;
};

static int
compare_ids(const struct golden_input *input, size_t column, size_t a, size_t b)
{
	double x = input->values[column][a], y = input->values[column][b];

	if (isnan(x) || isnan(y))
		return strcmp(input->cells[column][a], input->cells[column][b]);
	return (x > y) - (x < y);
}

static int
compare_rows(const void *left, const void *right, void *context)
{
	const struct row_order *order = context;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	for (size_t i = 0; i < order->count; i++) {
		int difference = compare_ids(order->input, order->columns[i], a, b);
		if (difference != 0)
			return difference;
	}
	return (a > b) - (a < b);
}

static void
sort_rows(struct row_order *order)
{
	order->rows = memory_zeroed(order->input->rows + 1, sizeof(*order->rows));
	for (size_t r = 0; r < order->input->rows; r++)
		order->rows[r] = r;
	qsort_r(order->rows, order->input->rows, sizeof(*order->rows), compare_rows, order);
}

/* Does the sorted row r begin a new unit of the first `depth` columns? */
static bool
begins_unit(const struct row_order *order, size_t depth, size_t r)
{
	if (r == 0)
		return true;
	for (size_t i = 0; i < depth; i++) {
		if (compare_ids(order->input, order->columns[i], order->rows[r - 1],
				order->rows[r]) != 0)
			return true;
	}
	return false;
}

/* The units of a depth; 0 when they are not all of the same number of rows. */
static size_t
count_units(const struct row_order *order, size_t depth)
{
	size_t rows = order->input->rows, units = 0, size = 0;

	for (size_t r = 0; r < rows; r++)
		units += begins_unit(order, depth, r);
	size = units > 0 ? rows / units : 0;
	for (size_t r = 0; r < rows; r++) {
		if (begins_unit(order, depth, r) != (r % size == 0))
			return 0;
	}
	return units;
}

static bool
find_column(const struct golden_input *input, const char *name, size_t *column)
{
	for (*column = 0; name && *column < input->columns; (*column)++) {
		if (strcmp(input->names[*column], name) == 0)
			return true;
	}
	return false;
}

struct nested {
	double *x;
	size_t reps[LEVELS_MAX], levels;
};

/*
 * Lays the values out for levels.h. params.levels names the id columns from the highest level
 * to the lowest; the lowest only counts rows, so that a column left out is pooled. False when
 * the entry does not fit; nested->x must be freed in any case.
 */
static bool
nest(const struct golden_input *input, struct nested *nested)
{
	const json_t *names = json_object_get(input->params, "levels");
	struct row_order order = {.input = input};
	size_t below = input->rows;
	bool balanced = true;

	*nested = (struct nested){.levels = json_array_size(names)};
	if (nested->levels < 1 || nested->levels > LEVELS_MAX || !golden_series_of(input) ||
	    input->rows == 0)
		return false;
	for (size_t i = 0; i + 1 < nested->levels; i++) {
		if (!find_column(input, json_string_value(json_array_get(names, i)),
				 &order.columns[order.count++]))
			return false;
	}
	sort_rows(&order);
	nested->x = golden_room(input->rows);
	for (size_t r = 0; r < input->rows; r++)
		nested->x[r] = golden_series_of(input)[order.rows[r]];
	for (size_t i = 0; balanced && i < nested->levels; i++) {
		size_t depth = nested->levels - 1 - i, units = count_units(&order, depth);
		balanced = units > 0;
		nested->reps[i] = balanced ? below / units : 0;
		below = units;
	}
	free(order.rows);
	return balanced;
}

static bool
measure_levels(const struct golden_input *input, struct kalibera_jones *out)
{
	struct nested nested;
	bool fits = nest(input, &nested);

	if (fits)
		levels_kalibera_jones(nested.x, nested.reps, nested.levels,
				      golden_param(input, "conf", 0.95), out);
	free(nested.x);
	return fits;
}

static json_t *
run_kalibera_jones(const struct golden_input *input)
{
	struct kalibera_jones out;
	double reps[LEVELS_MAX];
	json_t *object;

	if (!measure_levels(input, &out))
		return NULL;
	for (size_t i = 0; i < out.levels; i++)
		reps[i] = (double)out.reps[i];
	object = golden_numbers("mean", out.mean, "half_width", out.half_width, NULL);
	golden_put_array(object, "S2", out.s2, out.levels);
	golden_put_array(object, "T2", out.t2, out.levels);
	golden_put_array(object, "reps", reps, out.levels);
	return object;
}

static json_t *
run_kalibera_jones_ratio(const struct golden_input *input)
{
	struct kalibera_jones before, after;
	struct levels_ratio out;

	if (!input->aux || !measure_levels(input, &before) || !measure_levels(input->aux, &after))
		return NULL;
	levels_ratio(&before, &after, &out);
	return golden_numbers("ratio", out.ratio, "lo", out.lo, "hi", out.hi, NULL);
}

static json_t *
run_kalibera_jones_reps(const struct golden_input *input)
{
	const json_t *given = json_object_get(input->params, "costs_low_to_high");
	double costs[LEVELS_MAX], r[LEVELS_MAX], whole[LEVELS_MAX];
	struct kalibera_jones measured;
	json_t *object;

	if (!measure_levels(input, &measured) || json_array_size(given) != measured.levels)
		return NULL;
	for (size_t i = 0; i < measured.levels; i++)
		costs[i] = json_number_value(json_array_get(given, i));
	if (levels_reps(&measured, costs, r) == STAT_TOO_FEW)
		return NULL;
	for (size_t i = 0; i + 1 < measured.levels; i++)
		whole[i] = ceil(r[i]);
	object = json_object();
	golden_put_array(object, "r", r, measured.levels - 1);
	golden_put_array(object, "r_ceil", whole, measured.levels - 1);
	return object;
}

/* Samples by group, from the columns group and value. */
struct grouped {
	double *x, *ids;
	size_t *sizes, count;
	struct group_rules rules;
	struct group_summary *report;
};

static bool
group_rows(const struct golden_input *input, struct grouped *out)
{
	struct row_order order = {.input = input, .columns = {0}, .count = 1};
	const json_t *exclude = json_object_get(input->params, "exclude_first");

	*out = (struct grouped){0};
	if (input->columns != 2)
		return false;
	out->rules.trim_factor = golden_param(input, "factor", NAN);
	out->rules.include_first =
		exclude && !json_is_true(exclude) && json_number_value(exclude) == 0;
	out->x = golden_room(input->rows);
	out->ids = golden_room(input->rows);
	out->sizes = memory_zeroed(input->rows + 1, sizeof(*out->sizes));
	out->report = memory_zeroed(input->rows + 1, sizeof(*out->report));
	sort_rows(&order);
	for (size_t r = 0; r < input->rows; r++) {
		if (begins_unit(&order, 1, r))
			out->ids[out->count++] = input->values[0][order.rows[r]];
		out->sizes[out->count - 1]++;
		out->x[r] = input->values[1][order.rows[r]];
	}
	free(order.rows);
	group_report(out->x, out->sizes, out->count, &out->rules, out->report);
	return true;
}

static void
grouped_free(struct grouped *grouped)
{
	free(grouped->x);
	free(grouped->ids);
	free(grouped->sizes);
	free(grouped->report);
}

static json_t *
run_group_report(const struct golden_input *input)
{
	struct grouped in;
	json_t *object = NULL;

	if (group_rows(input, &in)) {
		double *columns = golden_room(4 * in.count);

		for (size_t g = 0; g < in.count; g++) {
			columns[g] = (double)in.report[g].kept;
			columns[in.count + g] = in.report[g].mean;
			columns[2 * in.count + g] = in.report[g].median;
			columns[3 * in.count + g] = in.report[g].geomean;
		}
		object = json_object();
		golden_put_array(object, "group", in.ids, in.count);
		golden_put_array(object, "kept", columns, in.count);
		golden_put_array(object, "mean", columns + in.count, in.count);
		golden_put_array(object, "median", columns + 2 * in.count, in.count);
		golden_put_array(object, "geomean", columns + 3 * in.count, in.count);
		free(columns);
	}
	grouped_free(&in);
	return object;
}

static json_t *
run_group_overall(const struct golden_input *input)
{
	struct grouped in;
	struct group_pool pool;
	json_t *object = NULL;

	if (group_rows(input, &in)) {
		enum stat_status status = group_overall(in.x, in.sizes, in.count, &in.rules, &pool);
		object = golden_numbers("kept", status ? NAN : (double)pool.kept, "mean", pool.mean,
					"median", pool.median, "geomean", pool.geomean, "sd",
					pool.sd, "max_deviation", pool.max_deviation, NULL);
	}
	grouped_free(&in);
	return object;
}

static enum group_statistic
chosen_statistic(const struct golden_input *input)
{
	const char *by = json_get_text(input->params, "by");

	return strcmp(by, "median") == 0    ? GROUP_MEDIAN
	       : strcmp(by, "geomean") == 0 ? GROUP_GEOMEAN
					    : GROUP_MEAN;
}

static json_t *
checks_of(const struct golden_input *input, const struct grouped *in)
{
	struct group_pool pool;
	struct group_checks checks;
	double *vs_overall = golden_room(in->count), *adjacent = golden_room(in->count);
	enum stat_status status;
	json_t *object;

	group_overall(in->x, in->sizes, in->count, &in->rules, &pool);
	status =
		group_checks(in->report, in->count, &pool, &in->rules, chosen_statistic(input),
			     golden_param(input, "tolerance", 0.05), vs_overall, adjacent, &checks);
	object = golden_numbers("flagged_overall", status ? NAN : (double)checks.flagged_overall,
				"flagged_adjacent", status ? NAN : (double)checks.flagged_adjacent,
				"stable", NAN, "group_vs_overall", NAN, "adjacent", NAN, NULL);
	if (status == STAT_OK) {
		json_object_set_new(object, "stable", json_boolean(checks.stable));
		golden_put_array(object, "group_vs_overall", vs_overall, in->count - checks.first);
		golden_put_array(object, "adjacent", adjacent, in->count - checks.first - 1);
	}
	free(vs_overall);
	free(adjacent);
	return object;
}

static json_t *
run_group_checks(const struct golden_input *input)
{
	struct grouped in;
	json_t *object = group_rows(input, &in) ? checks_of(input, &in) : NULL;

	grouped_free(&in);
	return object;
}

const struct golden_adapter golden_groups[] = {
	{"kalibera_jones", run_kalibera_jones},
	{"kalibera_jones_ratio", run_kalibera_jones_ratio},
	{"kalibera_jones_reps", run_kalibera_jones_reps},
	{"group_report", run_group_report},
	{"group_overall", run_group_overall},
	{"group_checks", run_group_checks},
	{NULL, NULL},
};

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "figures/axis.h"
#include "figures/chart.h"
#include "figures/item_cases.h"
#include "figures/pair_names.h"
#include "figures/panels.h"
#include "figures/writers.h"

/*
 * pairs: two treatments beside each other, and how many times as fast the one is, at the smallest
 * size. The option `pairs` lists them as `compare` does, { { "b", "a" }, … }; without it they are
 * the comparisons. Columns: row, a, a_sd, a_end, b, b_sd, b_end (means of the samples, and where
 * their bars or their spreads end), speedup, lo, hi, end.
 */

#define MAX_ROWS 24

struct rows {
	const struct figure_input *input;
	struct pair_names names;
	json_t *pairs; /* [[b, a], …] */
	int count, left_out, without_interval;
	const char *reason; /* of the first without an interval */
	size_t longest;
	struct chart_range range, speedups;
	double most, most_speedup; /* that the panels have to hold */
	struct buffer *data, *settings, *notes;
};

static const char *
treatment_name(const struct figure_input *input, const json_t *comparison, const char *side)
{
	return json_get_text(json_array_get(json_object_get(input->experiment, "treatments"),
					    (size_t)json_get_integer(comparison, side, 0)),
			     "name");
}

static json_t *
list_pairs(const struct figure_input *input)
{
	const json_t *asked = figure_option(input, "pairs"), *one;
	json_t *list = json_array();
	size_t i;

	json_array_foreach((json_t *)asked, i, one)
		if (json_is_string(json_array_get(one, 0)) && json_is_string(json_array_get(one, 1)))
			json_array_append(list, (json_t *)one);
	if (asked != NULL)
		return list;
	json_array_foreach(json_object_get(input->experiment, "comparisons"), i, one)
		json_array_append_new(list, json_pack("[s, s]", treatment_name(input, one, "b"),
						      treatment_name(input, one, "a")));
	return list;
}

/* The cases (or items) at the least value of the axis: those of one case. */
static json_t *
smallest(const struct figure_input *input)
{
	json_t *all = item_cases(input), *list = json_array(), *one;
	const json_t *least = NULL;
	double place = INFINITY;
	struct axis axis;
	size_t i;

	axis_choose(input->experiment, &axis);
	json_array_foreach(all, i, one)
		if (axis_place(&axis, one, i) < place) {
			place = axis_place(&axis, one, i);
			least = one;
		}
	json_array_foreach(all, i, one)
		if (strcmp(json_get_text(one, "case_id"), json_get_text(least, "case_id")) == 0)
			json_array_append(list, one);
	json_decref(all);
	return list;
}

static long long
treatment_number(const struct figure_input *input, const char *name)
{
	return json_get_integer(json_find_text(json_object_get(input->experiment, "treatments"), "name", name),
				"index", -1);
}

static const json_t *
find_comparison(const json_t *item, const char *b, const char *a)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(item, "comparisons"), i, one)
		if (strcmp(json_get_text(one, "a_name"), a) == 0 && strcmp(json_get_text(one, "b_name"), b) == 0)
			return one;
	return NULL;
}

/* Without a comparison that comes to an estimate there is the ratio of the means. */
static double
ratio_of(const struct rows *rows, double a, double b)
{
	return strcmp(json_get_text(figure_metric(rows->input), "better"), "higher") == 0 ? b / a : a / b;
}

static void
put_mean(struct rows *rows, const json_t *pool)
{
	double mean = json_get_number(pool, "mean"), sd = json_get_number(pool, "sd");

	csv_put_number(rows->data, mean, ',');
	csv_put_number(rows->data, sd, ',');
	csv_put_number(rows->data, fmax(mean, mean + sd), ',');
	chart_add(&rows->range, mean);
	rows->most = fmax(rows->most, fmax(mean, mean + sd));
}

static void
put_numbers(struct rows *rows, const json_t *a, const json_t *b, const json_t *comparison)
{
	double speedup = json_get_number(comparison, "speedup");
	double hi = json_get_number(comparison, "speedup_hi");

	if (!isfinite(speedup))
		speedup = ratio_of(rows, json_get_number(a, "mean"), json_get_number(b, "mean"));
	csv_put_integer(rows->data, rows->count++, ',');
	put_mean(rows, a);
	put_mean(rows, b);
	csv_put_number(rows->data, speedup, ',');
	csv_put_number(rows->data, json_get_number(comparison, "speedup_lo"), ',');
	csv_put_number(rows->data, hi, ',');
	csv_put_number(rows->data, fmax(speedup, hi), '\n');
	rows->most_speedup = fmax(rows->most_speedup, fmax(speedup, hi));
	chart_add(&rows->speedups, speedup);
	chart_add(&rows->speedups, json_get_number(comparison, "speedup_lo"));
}

static void
put_label(struct rows *rows, const char *item, const char *label)
{
	char *text = memory_format("%s%s%s", item, item[0] != '\0' ? ": " : "", label != NULL ? label : "");

	figure_put_indexed_text(rows->settings, "row", rows->count, text);
	rows->longest = strlen(text) > rows->longest ? strlen(text) : rows->longest;
	free(text);
}

static void
put_pair(struct rows *rows, const json_t *document, size_t number)
{
	const json_t *pair = json_array_get(rows->pairs, number), *item = panels_item(document);
	const char *b = json_string_value(json_array_get(pair, 0));
	const char *a = json_string_value(json_array_get(pair, 1));
	const json_t *of_a = chart_pool(item, treatment_number(rows->input, a));
	const json_t *of_b = chart_pool(item, treatment_number(rows->input, b));
	const json_t *comparison = find_comparison(item, b, a);
	bool has_a = isfinite(json_get_number(of_a, "mean"));

	if (!has_a || !isfinite(json_get_number(of_b, "mean"))) {
		char *why = chart_why_absent(document, has_a ? b : a);

		buffer_printf(rows->notes, "%s over %s is left out: %s. ", b, a, why);
		free(why);
		return;
	}
	if (rows->count == MAX_ROWS) {
		rows->left_out++;
		return;
	}
	if (!isfinite(json_get_number(comparison, "speedup_lo")) && rows->without_interval++ == 0)
		rows->reason = comparison != NULL ? json_get_text(comparison, "reason")
						  : "they are no comparisons of the experiment";
	put_label(rows, json_get_text(document, "of_item"),
		  json_string_value(json_array_get(rows->names.labels, number)));
	put_numbers(rows, of_a, of_b, comparison);
}

/* The author's own names, where there are as many as are wanted. */
static void
take_names(const struct rows *rows, struct pair_names *names)
{
	const json_t *series = figure_option(rows->input, "series");
	json_t *labels = (json_t *)figure_option(rows->input, "labels");

	pair_names_make(rows->pairs, names);
	if (json_is_string(json_array_get(series, 0)) && json_is_string(json_array_get(series, 1))) {
		free(names->b);
		free(names->a);
		names->b = memory_copy_text(json_string_value(json_array_get(series, 0)));
		names->a = memory_copy_text(json_string_value(json_array_get(series, 1)));
	}
	if (json_is_array(labels) && json_array_size(labels) == json_array_size(rows->pairs)) {
		json_decref(names->labels);
		names->labels = json_incref(labels);
	}
}

static void
put_settings(const struct rows *rows, const json_t *document)
{
	const json_t *metric = figure_metric(rows->input);
	const char *title = json_get_text(rows->input->experiment, "title");
	const json_t *whole = json_object_get(json_object_get(rows->input->stats, "cases"),
					      json_get_text(document, "case_id"));
	const char *point = json_get_text(whole, "point_text");
	char *text = memory_format("%s%s%s", title, point[0] != '\0' ? ", " : "", point);

	figure_put_text(rows->settings, "title_text", text);
	figure_put_text(rows->settings, "series_a", rows->names.a);
	figure_put_text(rows->settings, "series_b", rows->names.b);
	figure_put_text(rows->settings, "x_text", chart_metric_text(json_get_text(metric, "name")));
	chart_put_left(rows->settings, rows->longest);
	chart_put_unit(rows->settings, json_get_text(metric, "unit"), &rows->range);
	figure_put_number(rows->settings, "x_log", chart_logarithmic(rows->input, &rows->range));
	figure_put_number(rows->settings, "x_least", rows->range.lo);
	figure_put_number(rows->settings, "x_most", rows->most);
	figure_put_number(rows->settings, "most_speedup", rows->most_speedup);
	figure_put_number(rows->settings, "least_speedup", rows->speedups.lo);
	figure_put_number(rows->settings, "speedup_log", chart_logarithmic(rows->input, &rows->speedups));
	figure_put_number(rows->settings, "row_count", rows->count);
	figure_put_number(rows->settings, "HEIGHT", 168 + 46 * (rows->count > 0 ? rows->count : 1));
	free(text);
}

int
figure_pairs(const struct figure_input *input, struct buffer *data, struct buffer *settings,
	     struct buffer *notes, struct error *error)
{
	struct rows rows = {.input = input, .range = CHART_RANGE_EMPTY, .speedups = CHART_RANGE_EMPTY, .data = data,
			    .settings = settings, .notes = notes, .pairs = list_pairs(input)};
	json_t *documents = smallest(input), *one;
	size_t i, k;

	(void)error;
	take_names(&rows, &rows.names);
	buffer_puts(data, "row,a,a_sd,a_end,b,b_sd,b_end,speedup,lo,hi,end\n");
	json_array_foreach(documents, i, one)
		for (k = 0; k < json_array_size(rows.pairs) && !(k == 0 && chart_is_invalid(one, notes)); k++)
			put_pair(&rows, one, k);
	if (rows.without_interval > 0)
		buffer_printf(notes, "%d of %d rows without an interval: %s. ", rows.without_interval, rows.count,
			      rows.reason);
	if (rows.left_out > 0)
		buffer_printf(notes, "%d more pairs are left out; choose with pairs = {...}. ", rows.left_out);
	put_settings(&rows, json_array_get(documents, 0));
	pair_names_free(&rows.names);
	json_decref(rows.pairs);
	json_decref(documents);
	return 0;
}

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "figures/axis.h"
#include "figures/chart.h"
#include "figures/item_cases.h"
#include "figures/writers.h"

#define MAX_ITEMS 8  /* as series */
#define MAX_PLACES 24 /* of items, along the axis */

/*
 * Columns: series (number from 0), series_name, x, speedup, lo, hi, floor_lo, floor_hi, verdict.
 * Series are separated by two empty lines for gnuplot's `index`.
 */

static void
put_row(struct buffer *data, int series, const char *name, double x, const json_t *comparison)
{
	double floor_log = json_get_number(comparison, "noise_floor_log");

	csv_put_integer(data, series, ',');
	csv_put_text(data, name, ',');
	csv_put_number(data, x, ',');
	csv_put_number(data, json_get_number(comparison, "speedup"), ',');
	csv_put_number(data, json_get_number(comparison, "speedup_lo"), ',');
	csv_put_number(data, json_get_number(comparison, "speedup_hi"), ',');
	csv_put_number(data, exp(-floor_log), ',');
	csv_put_number(data, exp(floor_log), ',');
	csv_put_text(data, json_get_text(comparison, "verdict"), '\n');
}

/* Of the one item that the case was narrowed to; NULL where it lacks it. */
static const json_t *
find(const json_t *document, size_t comparison)
{
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0);
	const json_t *one = json_array_get(json_object_get(metric, "items"), 0);

	return json_array_get(json_object_get(one, "comparisons"), comparison);
}

static bool
seen_before(const struct axis *axis, const json_t *cases, size_t index, const char *rest)
{
	struct buffer other = BUFFER_EMPTY;
	bool seen = false;
	size_t i;

	for (i = 0; i < index && !seen; i++) {
		buffer_clear(&other);
		axis_series(axis, json_array_get(cases, i), &other);
		seen = strcmp(buffer_text(&other), rest) == 0;
	}
	buffer_free(&other);
	return seen;
}

static void
note_lack(const json_t *document, const json_t *row, struct buffer *notes)
{
	const char *point = json_get_text(document, "point_text"), *what;

	if (isfinite(json_get_number(row, "speedup_lo")))
		return;
	what = isfinite(json_get_number(row, "speedup")) ? "without an interval" : "not shown";
	buffer_printf(notes, "%s%s%s: %s. ", point, point[0] != '\0' ? " " : "", what,
		      json_get_text(row, "reason"));
}

/* The points so far. */
struct series_count {
	int number, shown;
	struct chart_range range; /* of what is drawn */
};

static void
count_row(const json_t *row, struct series_count *count)
{
	static const char *const drawn[] = {"speedup", "speedup_lo", "speedup_hi"};
	size_t i;

	for (i = 0; i < 3; i++)
		chart_add(&count->range, json_get_number(row, drawn[i]));
	count->shown += isfinite(json_get_number(row, "speedup"));
}

static void
put_series(const struct axis *axis, const json_t *cases, size_t comparison, const char *rest,
	   struct series_count *count, struct buffer *data, struct buffer *settings,
	   struct buffer *notes)
{
	struct buffer name = BUFFER_EMPTY, own = BUFFER_EMPTY;
	const json_t *document;
	const char *item;
	char *setting;
	size_t i;

	if (count->number > 0)
		buffer_puts(data, "\n\n");
	json_array_foreach((json_t *)cases, i, document) {
		const json_t *row = find(document, comparison);

		buffer_clear(&own);
		axis_series(axis, document, &own);
		if (strcmp(buffer_text(&own), rest) != 0 || row == NULL)
			continue;
		item = axis->dimension != NULL ? json_get_text(document, "of_item") : "";
		buffer_clear(&name);
		buffer_printf(&name, "%s%s%s over %s%s%s", item, item[0] != '\0' ? ": " : "",
			      json_get_text(row, "b_name"), json_get_text(row, "a_name"),
			      rest[0] != '\0' ? ", " : "", rest);
		put_row(data, count->number, buffer_text(&name), axis_place(axis, document, i), row);
		count_row(row, count);
		note_lack(document, row, notes);
	}
	setting = memory_format("series_name_%d", count->number++);
	figure_put_text(settings, setting, buffer_text(&name));
	free(setting);
	buffer_free(&name);
	buffer_free(&own);
}

/* Every series of the cases that were narrowed to one item. */
static void
put_item(const struct axis *axis, const json_t *cases, size_t comparisons,
	 struct series_count *count, struct buffer *data, struct buffer *settings,
	 struct buffer *notes)
{
	struct buffer rest = BUFFER_EMPTY;
	const json_t *document;
	size_t c, i;

	for (c = 0; c < comparisons; c++)
		json_array_foreach((json_t *)cases, i, document) {
			buffer_clear(&rest);
			axis_series(axis, document, &rest);
			if (!seen_before(axis, cases, i, buffer_text(&rest)))
				put_series(axis, cases, c, buffer_text(&rest), count, data, settings, notes);
		}
	buffer_free(&rest);
}

static void
put_items(const struct figure_input *input, const struct axis *axis, const json_t *cases,
	  struct series_count *count, struct buffer *data, struct buffer *settings,
	  struct buffer *notes)
{
	size_t comparisons = json_array_size(json_object_get(input->experiment, "comparisons")), i;
	const char *wanted = json_string_value(figure_option(input, "item"));
	json_t *names = item_names(cases), *name;

	json_array_foreach(names, i, name) {
		json_t *of_item;

		if (wanted != NULL ? strcmp(json_string_value(name), wanted) != 0 : i >= MAX_ITEMS)
			continue;
		of_item = item_cases_of(cases, json_string_value(name));
		put_item(axis, of_item, comparisons, count, data, settings, notes);
		json_decref(of_item);
	}
	if (wanted == NULL && json_array_size(names) > MAX_ITEMS)
		buffer_printf(notes, "The first %d of %zu items; choose another with item = \"...\". ",
			      MAX_ITEMS, json_array_size(names));
	json_decref(names);
}

/* Without a dimension to go along, cases and items stand side by side. */
static json_t *
places(const struct figure_input *input, struct buffer *notes)
{
	json_t *cases = item_cases(input);
	size_t count = json_array_size(cases);
	bool items = *json_get_text(json_array_get(cases, 0), "of_item") != '\0';

	if (!items || count <= MAX_PLACES)
		return cases;
	buffer_printf(notes, "The first %d of %zu items; the figure forest shows more. ", MAX_PLACES, count);
	while (json_array_size(cases) > MAX_PLACES)
		json_array_remove(cases, json_array_size(cases) - 1);
	return cases;
}

int
figure_speedup(const struct figure_input *input, struct buffer *data, struct buffer *settings,
	       struct buffer *notes, struct error *error)
{
	struct series_count count = {0, 0, CHART_RANGE_EMPTY};
	struct axis axis;
	json_t *cases;

	(void)error;
	axis_choose(input->experiment, &axis);
	buffer_puts(data, "series,series_name,x,speedup,lo,hi,floor_lo,floor_hi,verdict\n");
	cases = axis.dimension != NULL ? figure_cases(input) : places(input, notes);
	if (axis.dimension != NULL)
		put_items(input, &axis, cases, &count, data, settings, notes);
	else
		put_item(&axis, cases, json_array_size(json_object_get(input->experiment, "comparisons")),
			 &count, data, settings, notes);
	axis_put(&axis, cases, settings);
	figure_put_number(settings, "series_count", count.number);
	figure_put_number(settings, "shown", count.shown);
	figure_put_number(settings, "y_log", chart_logarithmic(input, &count.range));
	figure_put_text(settings, "title_text", json_get_text(input->experiment, "title"));
	figure_put_text(settings, "metric", json_get_text(figure_metric(input), "name"));
	json_decref(cases);
	return 0;
}

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "figures/axis.h"
#include "figures/chart.h"
#include "figures/item_cases.h"
#include "figures/panels.h"
#include "figures/sample_table.h"
#include "figures/writers.h"

/*
 * sizes: every sample of each treatment against the sweep, with a line through the means of the
 * samples; of a single case against the groups, with a line through their values. Of one item.
 * Columns: series, kind (0 line, 1 sample), x, value. Each series has two blocks, separated by
 * two empty lines: its line, then its samples.
 */

#define MAX_SERIES 24

struct sizes {
	const struct figure_input *input;
	json_t *cases;               /* of the item, those without a valid result left out */
	struct sample_table *tables; /* one a case */
	struct axis axis;
	bool by_group;               /* there is one case */
	int series, left_out;
	size_t longest;              /* of their names, in bytes */
	struct chart_range x, y;
	struct buffer *data, *settings, *notes;
};

static void
put_row(struct sizes *sizes, int kind, double x, double value)
{
	csv_put_integer(sizes->data, sizes->series, ',');
	csv_put_integer(sizes->data, kind, ',');
	csv_put_number(sizes->data, x, ',');
	csv_put_number(sizes->data, value, '\n');
	chart_add(&sizes->y, value);
	sizes->x.lo = fmin(sizes->x.lo, x);
	sizes->x.hi = fmax(sizes->x.hi, x);
}

/* A block that holds nothing gets a row: gnuplot counts only blocks that do. */
static void
end_block(struct sizes *sizes, size_t begin)
{
	if (sizes->data->length == begin)
		buffer_printf(sizes->data, "%d\n", sizes->series);
	buffer_puts(sizes->data, "\n\n");
}

static double
place(const struct sizes *sizes, size_t number)
{
	return axis_place(&sizes->axis, json_array_get(sizes->cases, number), number);
}

static bool
is_in_series(const struct sizes *sizes, size_t number, const char *rest)
{
	struct buffer own = BUFFER_EMPTY;
	bool same;

	axis_series(&sizes->axis, json_array_get(sizes->cases, number), &own);
	same = strcmp(buffer_text(&own), rest) == 0;
	buffer_free(&own);
	return same;
}

static void
put_line(struct sizes *sizes, long long treatment, const char *rest)
{
	const json_t *document, *value;
	size_t i, k, begin = sizes->data->length;

	json_array_foreach(sizes->cases, i, document) {
		const json_t *one = chart_treatment(panels_item(document), treatment);
		double mean = json_get_number(json_object_get(one, "over_samples"), "mean");

		if (!is_in_series(sizes, i, rest))
			continue;
		if (sizes->by_group)
			json_array_foreach(json_object_get(one, "values"), k, value)
				put_row(sizes, 0, json_get_number(value, "pair"), json_get_number(value, "value"));
		else if (isfinite(mean))
			put_row(sizes, 0, place(sizes, i), mean);
	}
	end_block(sizes, begin);
}

static void
put_samples_of(struct sizes *sizes, size_t number, long long treatment)
{
	const struct sample_table *table = &sizes->tables[number];
	size_t r;

	for (r = 0; r < table->csv.count; r++) {
		char **row = table->csv.rows[r];

		if (sample_table_is_sample(table, r) && strcmp(row[table->phase], "ab") == 0 &&
		    strcmp(row[table->used], "1") == 0 && strtol(row[table->treatment], NULL, 10) == treatment)
			put_row(sizes, 1, sizes->by_group ? strtod(row[table->pair], NULL) : place(sizes, number),
				strtod(row[table->value], NULL));
	}
}

static void
put_series(struct sizes *sizes, const json_t *treatment, const char *rest)
{
	long long number = json_get_integer(treatment, "index", -1);
	char *name = memory_format("%s%s%s", json_get_text(treatment, "name"), rest[0] != '\0' ? ", " : "",
				   rest);
	size_t i, begin;

	if (sizes->series < MAX_SERIES) {
		put_line(sizes, number, rest);
		begin = sizes->data->length;
		for (i = 0; i < json_array_size(sizes->cases); i++)
			if (is_in_series(sizes, i, rest))
				put_samples_of(sizes, i, number);
		end_block(sizes, begin);
		figure_put_indexed_text(sizes->settings, "series", sizes->series++, name);
		sizes->longest = strlen(name) > sizes->longest ? strlen(name) : sizes->longest;
	} else {
		sizes->left_out++;
	}
	free(name);
}

/* A series for each treatment, and for each value of what the axis does not say. */
static void
put_all(struct sizes *sizes)
{
	const json_t *treatment;
	size_t t, i, k;

	json_array_foreach(json_object_get(sizes->input->experiment, "treatments"), t, treatment)
		for (i = 0; i < json_array_size(sizes->cases); i++) {
			struct buffer rest = BUFFER_EMPTY;
			bool seen = false;

			axis_series(&sizes->axis, json_array_get(sizes->cases, i), &rest);
			for (k = 0; k < i; k++)
				seen = seen || is_in_series(sizes, k, buffer_text(&rest));
			if (!seen)
				put_series(sizes, treatment, buffer_text(&rest));
			buffer_free(&rest);
		}
	if (sizes->left_out > 0)
		buffer_printf(sizes->notes, "The first %d of %d lines; choose with where = {...}. ", MAX_SERIES,
			      MAX_SERIES + sizes->left_out);
}

/* The cases that can be shown, of the one item that is. */
static json_t *
choose_cases(const struct figure_input *input, struct buffer *notes)
{
	json_t *all = figure_cases(input), *names = item_names(all), *of_item, *list = json_array(), *one;
	const char *asked = json_string_value(figure_option(input, "item"));
	const char *name = asked != NULL ? asked : json_string_value(json_array_get(names, 0));
	size_t i;

	if (asked == NULL && json_array_size(names) > 1)
		buffer_printf(notes, "%s, the first of %zu items; choose another with item = \"...\". ", name,
			      json_array_size(names));
	of_item = item_cases_of(all, name != NULL ? name : "");
	json_array_foreach(of_item, i, one)
		if (!chart_is_invalid(one, notes)) {
			chart_note_lowered(input, one, notes);
			json_array_append(list, one);
		}
	json_decref(of_item);
	json_decref(names);
	json_decref(all);
	return list;
}

/* Where a place is on the screen, in shares of the axis between its least and largest. */
static double
share(const struct sizes *sizes, double x)
{
	if (sizes->axis.logarithmic)
		return log(x / sizes->x.lo) / log(sizes->x.hi / sizes->x.lo);
	return (x - sizes->x.lo) / (sizes->x.hi - sizes->x.lo);
}

/* How near two places of the axis are, in such shares. */
static double
least_step(const struct sizes *sizes)
{
	size_t count = json_array_size(sizes->cases), i, k;
	double step = 1;

	for (i = 0; i < count; i++)
		for (k = 0; k < count; k++)
			if (place(sizes, i) < place(sizes, k))
				step = fmin(step, share(sizes, place(sizes, k)) - share(sizes, place(sizes, i)));
	return step;
}

#define FRAME_WIDTH 600 /* pixels between the first and the last place */
#define DIGIT_WIDTH 8

static double
bytes_each(const struct sizes *sizes)
{
	return json_number_value(figure_option(sizes->input, "bytes_each"));
}

/* "256 KiB" */
static char *
bytes_text(double bytes)
{
	bool mebi = bytes >= 1048576;

	return memory_format("%g %s", bytes / (mebi ? 1048576 : 1024), mebi ? "MiB" : "KiB");
}

static void
put_bytes(struct buffer *places, double bytes)
{
	char *text = bytes_text(bytes);

	buffer_printf(places, "%s'%s' %.15g", places->length > 0 ? ", " : "", text, bytes);
	free(text);
}

/* Every fourth doubling: what has room on an axis of any sizes. */
static void
put_some_bytes(const struct sizes *sizes, struct buffer *places)
{
	double bytes;

	for (bytes = 1024; bytes <= sizes->x.hi; bytes *= 16)
		if (bytes >= sizes->x.lo)
			put_bytes(places, bytes);
}

/* The sizes themselves as ticks, where there is room for them; those that are bytes by name. */
static void
put_places(const struct sizes *sizes, double step)
{
	bool named = bytes_each(sizes) == 1 && !sizes->by_group;
	struct buffer places = BUFFER_EMPTY;
	size_t i, longest = 1;

	for (i = 0; i < json_array_size(sizes->cases); i++) {
		size_t before = places.length;

		if (named)
			put_bytes(&places, place(sizes, i));
		else
			buffer_printf(&places, "%s%.15g", i > 0 ? ", " : "", place(sizes, i));
		longest = places.length - before > longest ? places.length - before : longest;
	}
	if (step * FRAME_WIDTH < (double)(DIGIT_WIDTH * longest)) {
		buffer_clear(&places);
		if (named && sizes->axis.logarithmic)
			put_some_bytes(sizes, &places);
	}
	figure_put_text(sizes->settings, "x_places", buffer_text(&places));
	buffer_free(&places);
}

/* Where on the axis the data of an element no longer go into a cache. */
static void
put_caches(struct sizes *sizes, double lo, double hi)
{
	double each = bytes_each(sizes);
	const json_t *caches = json_object_get(json_object_get(sizes->input->stats, "machine"), "caches"), *one;
	size_t i;
	int count = 0;

	json_array_foreach((json_t *)caches, i, one) {
		double bytes = json_get_number(one, "bytes"), x = bytes / each;
		char *size, *text;

		if (!(each > 0) || sizes->by_group || !(x >= lo && x <= hi))
			continue;
		size = bytes_text(bytes);
		text = memory_format("L%lld: %s", json_get_integer(one, "level", 0), size);
		figure_put_indexed(sizes->settings, "cache", count, x);
		figure_put_indexed_text(sizes->settings, "cache_name", count++, text);
		free(size);
		free(text);
	}
	figure_put_number(sizes->settings, "cache_count", count);
}

#define MARGIN 0.06 /* beside the first and the last place, of what is between them */

/* x_lo and x_hi, and x_step: what the samples of one place may take, as a difference or, on a
 * logarithmic axis, as a factor. It stays within the margin. */
static void
put_frame(struct sizes *sizes, double step)
{
	double lo = sizes->x.lo, hi = sizes->x.hi, wide = hi - lo;
	bool one = sizes->by_group || sizes->axis.dimension == NULL || !(wide > 0);

	step = fmin(step, 3 * MARGIN);
	if (one) {
		step = 1;
		lo = isfinite(lo) ? lo - 0.7 : 0;
		hi = isfinite(hi) ? hi + 0.7 : 1;
	} else if (sizes->axis.logarithmic) {
		double factor = hi / lo;

		step = pow(factor, step);
		lo /= pow(factor, MARGIN);
		hi *= pow(factor, MARGIN);
	} else {
		step *= wide;
		lo -= MARGIN * wide;
		hi += MARGIN * wide;
	}
	figure_put_number(sizes->settings, "x_lo", lo);
	figure_put_number(sizes->settings, "x_hi", hi);
	figure_put_number(sizes->settings, "x_step", step);
	put_caches(sizes, lo, hi);
}

static void
put_x(struct sizes *sizes)
{
	double step;

	if (sizes->by_group)
		sizes->axis = (struct axis){"group", false};
	sizes->axis.logarithmic = sizes->axis.logarithmic && sizes->x.hi > sizes->x.lo && sizes->x.lo > 0;
	step = sizes->by_group ? 0 : least_step(sizes);
	axis_put(&sizes->axis, sizes->cases, sizes->settings);
	put_places(sizes, sizes->axis.dimension != NULL ? step : 0);
	put_frame(sizes, step);
}

static void
put_settings(struct sizes *sizes)
{
	const json_t *metric = figure_metric(sizes->input), *first = json_array_get(sizes->cases, 0);
	const char *point = json_get_text(first, "point_text");
	char *title = memory_format("%s%s%s", json_get_text(sizes->input->experiment, "title"),
				    sizes->by_group && point[0] != '\0' ? ", " : "",
				    sizes->by_group ? point : "");
	/* In pixels of the SVG: the key's columns. */
	int columns = (int)fmax(1, fmin(4, floor(740 / (55 + 6.5 * (double)sizes->longest))));
	int rows = (sizes->series + columns - 1) / columns;

	put_x(sizes);
	figure_put_text(sizes->settings, "title_text", title);
	figure_put_text(sizes->settings, "y_text", chart_metric_text(json_get_text(metric, "name")));
	figure_put_text(sizes->settings, "line_text", sizes->by_group ? json_get_text(first, "collapse") : "");
	chart_put_unit(sizes->settings, json_get_text(metric, "unit"), &sizes->y);
	figure_put_number(sizes->settings, "y_log", chart_logarithmic(sizes->input, &sizes->y));
	figure_put_number(sizes->settings, "y_lo", sizes->y.lo);
	figure_put_number(sizes->settings, "y_hi", sizes->y.hi);
	figure_put_number(sizes->settings, "by_group", sizes->by_group);
	figure_put_number(sizes->settings, "series_count", sizes->series);
	figure_put_number(sizes->settings, "key_rows", rows);
	figure_put_number(sizes->settings, "shown", sizes->y.hi >= sizes->y.lo);
	figure_put_number(sizes->settings, "HEIGHT", 450 + 15 * rows);
	free(title);
}

/* Returns how many were read; all of them unless *error is filled. */
static size_t
read_tables(struct sizes *sizes, struct error *error)
{
	const char *metric = json_get_text(figure_metric(sizes->input), "name");
	size_t count = json_array_size(sizes->cases), i;

	sizes->tables = memory_zeroed(count + 1, sizeof *sizes->tables);
	for (i = 0; i < count; i++)
		if (sample_table_read(json_array_get(sizes->cases, i), metric, &sizes->tables[i], error) != 0)
			break;
	return i;
}

int
figure_sizes(const struct figure_input *input, struct buffer *data, struct buffer *settings,
	     struct buffer *notes, struct error *error)
{
	struct sizes sizes = {.input = input, .x = CHART_RANGE_EMPTY, .y = CHART_RANGE_EMPTY, .data = data,
			      .settings = settings, .notes = notes};
	size_t read, count, i;

	axis_choose(input->experiment, &sizes.axis);
	if (json_is_boolean(figure_option(input, "log_x")))
		sizes.axis.logarithmic = json_is_true(figure_option(input, "log_x"));
	sizes.cases = choose_cases(input, notes);
	count = json_array_size(sizes.cases);
	sizes.by_group = count == 1;
	buffer_puts(data, "series,kind,x,value\n");
	read = read_tables(&sizes, error);
	if (read == count) {
		put_all(&sizes);
		put_settings(&sizes);
	}
	for (i = 0; i < read; i++)
		sample_table_free(&sizes.tables[i]);
	free(sizes.tables);
	json_decref(sizes.cases);
	return read == count ? 0 : -1;
}

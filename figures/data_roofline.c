#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "figures/chart.h"
#include "figures/writers.h"

/*
 * roofline: what a kernel reached against its arithmetic intensity, both axes logarithmic, under
 * the ceilings that were measured. Each block of the data is a roof (three places: the left edge,
 * the ridge, the right edge), then one for each point. Columns: kind (0 roof, 1 point), number,
 * intensity, rate, rate_lo, rate_hi.
 */

enum { POINTS_MOST = 24 }; /* more cannot be told apart */

struct roofs {
	const json_t *items[POINTS_MOST]; /* the first point below each */
	int count;
};

struct drawing {
	struct chart_range x, y;
	struct buffer *data, *settings, *notes;
};

static bool
same_roof(const json_t *one, const json_t *other)
{
	return json_get_number(one, "peak") == json_get_number(other, "peak") &&
	       json_get_number(one, "bandwidth") == json_get_number(other, "bandwidth");
}

static void
add_roof(struct roofs *roofs, const json_t *point)
{
	int i;

	for (i = 0; i < roofs->count; i++)
		if (same_roof(roofs->items[i], point))
			return;
	roofs->items[roofs->count++] = point;
}

static void
put_row(struct drawing *d, int kind, int number, double x, double y, double lo, double hi)
{
	csv_put_integer(d->data, kind, ',');
	csv_put_integer(d->data, number, ',');
	csv_put_number(d->data, x, ',');
	csv_put_number(d->data, y, ',');
	csv_put_number(d->data, lo, ',');
	csv_put_number(d->data, hi, '\n');
}

/* "24.9 GB/s": four digits are more than a ceiling has. */
static char *
rate_text(double rate, const char *unit)
{
	static const struct { const char *prefix; double factor; } scales[] = {
		{"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}};
	size_t i;

	for (i = 0; i < sizeof scales / sizeof *scales; i++)
		if (rate >= scales[i].factor)
			return memory_format("%.3g %s%s", rate / scales[i].factor, scales[i].prefix, unit);
	return memory_format("%.3g %s", rate, unit);
}

static void
put_roof(struct drawing *d, int number, const json_t *point)
{
	double peak = json_get_number(point, "peak"), bandwidth = json_get_number(point, "bandwidth");
	double ridge = json_get_number(point, "ridge");
	char *peak_text = rate_text(peak, "FLOP/s"), *bandwidth_text = rate_text(bandwidth, "B/s");
	char *name = memory_format("%s: %s; %s: %s; ridge at %.3g FLOP/B", json_get_text(point, "bandwidth_name"),
				   bandwidth_text, json_get_text(point, "peak_name"), peak_text, ridge);

	put_row(d, 0, number, d->x.lo, fmin(peak, d->x.lo * bandwidth), NAN, NAN);
	put_row(d, 0, number, ridge, peak, NAN, NAN);
	put_row(d, 0, number, fmax(d->x.hi, ridge), peak, NAN, NAN);
	buffer_puts(d->data, "\n\n");
	figure_put_indexed_text(d->settings, "roof", number, name);
	figure_put_indexed(d->settings, "ridge", number, ridge);
	figure_put_indexed(d->settings, "peak", number, peak);
	figure_put_indexed_text(d->settings, "peak_text", number, peak_text);
	figure_put_indexed_text(d->settings, "bandwidth_text", number, bandwidth_text);
	free(peak_text);
	free(bandwidth_text);
	free(name);
}

static void
put_point(struct drawing *d, int number, const json_t *document, const json_t *point)
{
	const char *where = json_get_text(document, "point_text");
	char *name = memory_format("%s%s%s: %.0f %% of its roof", json_get_text(point, "name"),
				   where[0] != '\0' ? ", " : "", where, 100 * json_get_number(point, "share"));

	put_row(d, 1, number, json_get_number(point, "intensity"), json_get_number(point, "achieved"),
		json_get_number(point, "achieved_lo"), json_get_number(point, "achieved_hi"));
	buffer_puts(d->data, "\n\n");
	figure_put_indexed_text(d->settings, "point", number, name);
	free(name);
}

/* Those that have numbers, each as [case document, point]; notes why others have none. */
static json_t *
choose_points(const json_t *cases, struct buffer *notes)
{
	json_t *list = json_array(), *document, *point;
	size_t c, i, left_out = 0;

	json_array_foreach((json_t *)cases, c, document)
		json_array_foreach(json_object_get(document, "roofline"), i, point) {
			const char *reason = json_get_text(point, "reason");

			if (reason[0] != '\0')
				buffer_printf(notes, "%s is not shown: %s. ", json_get_text(point, "name"), reason);
			else if (json_array_size(list) == POINTS_MOST)
				left_out++;
			else
				json_array_append_new(list, json_pack("[O, O]", document, point));
		}
	if (left_out > 0)
		buffer_printf(notes, "%zu further points are in the table only. ", left_out);
	return list;
}

static const json_t *
point_at(const json_t *points, size_t i)
{
	return json_array_get(json_array_get(points, i), 1);
}

/* Some room beside ridges and points, to half a power of ten. */
static void
find_ranges(struct drawing *d, const json_t *points)
{
	size_t i;

	for (i = 0; i < json_array_size(points); i++) {
		chart_add(&d->x, json_get_number(point_at(points, i), "intensity"));
		chart_add(&d->x, json_get_number(point_at(points, i), "ridge"));
	}
	d->x.lo = pow(10, floor(2 * log10(d->x.lo / 1.5)) / 2);
	d->x.hi = pow(10, ceil(2 * log10(d->x.hi * 1.5)) / 2);
	for (i = 0; i < json_array_size(points); i++) {
		chart_add(&d->y, json_get_number(point_at(points, i), "achieved"));
		chart_add(&d->y, json_get_number(point_at(points, i), "peak"));
		chart_add(&d->y, d->x.lo * json_get_number(point_at(points, i), "bandwidth"));
	}
}

static void
put_settings(struct drawing *d, const struct figure_input *input, size_t points, int roofs)
{
	/* In pixels of the SVG: the key below the frame, a line an entry; points in two columns. */
	int rows = roofs + (int)(points + 1) / 2;

	figure_put_text(d->settings, "title_text", json_get_text(input->experiment, "title"));
	chart_put_unit(d->settings, "flop/s", &d->y);
	figure_put_number(d->settings, "x_lo", d->x.lo);
	figure_put_number(d->settings, "x_hi", d->x.hi);
	figure_put_number(d->settings, "y_lo", d->y.lo);
	figure_put_number(d->settings, "y_hi", d->y.hi);
	figure_put_number(d->settings, "roof_count", roofs);
	figure_put_number(d->settings, "point_count", (double)points);
	figure_put_number(d->settings, "key_rows", rows);
	figure_put_number(d->settings, "HEIGHT", 470 + 15 * rows);
}

int
figure_roofline(const struct figure_input *input, struct buffer *data, struct buffer *settings,
		struct buffer *notes, struct error *error)
{
	struct drawing d = {CHART_RANGE_EMPTY, CHART_RANGE_EMPTY, data, settings, notes};
	json_t *cases = figure_cases(input), *points = choose_points(cases, notes);
	struct roofs roofs = {.count = 0};
	size_t count = json_array_size(points), i;
	int r;

	(void)error;
	if (json_object_get(input->experiment, "roofline") == NULL)
		buffer_puts(notes, "The experiment has no roofline = { peak = ..., bandwidth = ... }. ");
	buffer_puts(data, "kind,number,intensity,rate,rate_lo,rate_hi\n");
	if (count > 0)
		find_ranges(&d, points);
	for (i = 0; i < count; i++)
		add_roof(&roofs, point_at(points, i));
	for (r = 0; r < roofs.count; r++)
		put_roof(&d, r, roofs.items[r]);
	for (i = 0; i < count; i++)
		put_point(&d, (int)i, json_array_get(json_array_get(points, i), 0), point_at(points, i));
	put_settings(&d, input, count, roofs.count);
	json_decref(points);
	json_decref(cases);
	return 0;
}

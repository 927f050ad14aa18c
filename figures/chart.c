#include "figures/chart.h"

#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "figures/axis.h"

#define WIDTH 800 /* of the SVG, in pixels: gnuplot.c */

void
chart_add(struct chart_range *range, double value)
{
	if (!isfinite(value) || value <= 0)
		return;
	range->lo = fmin(range->lo, value);
	range->hi = fmax(range->hi, value);
}

bool
chart_logarithmic(const struct figure_input *input, const struct chart_range *range)
{
	const json_t *asked = figure_option(input, "log");

	if (!(range->hi >= range->lo))
		return false;
	return json_is_boolean(asked) ? json_is_true(asked) : range->hi / range->lo > AXIS_LOG_RANGE;
}

void
chart_put_unit(struct buffer *settings, const char *unit, const struct chart_range *range)
{
	static const struct {
		const char *unit, *text;
		double factor;
	} scales[] = {
		{"us", "s", 1e6}, {"us", "ms", 1e3}, {"us", "us", 1}, {"us", "ns", 1e-3},
		{"kib", "GiB", 1048576}, {"kib", "MiB", 1024}, {"kib", "KiB", 1},
		{"flop/s", "TFLOP/s", 1e12}, {"flop/s", "GFLOP/s", 1e9}, {"flop/s", "MFLOP/s", 1e6},
		{"flop/s", "FLOP/s", 1},
	};
	const char *text = strcmp(unit, "1") == 0 ? "" : unit;
	double factor = 1;
	size_t i;

	for (i = 0; i < sizeof scales / sizeof *scales; i++)
		if (strcmp(scales[i].unit, unit) == 0) {
			text = scales[i].text;
			factor = scales[i].factor;
			if (range->hi >= factor)
				break;
		}
	figure_put_text(settings, "unit_text", text);
	buffer_printf(settings, "scale = real(%.17g)\n", factor); /* whole numbers would divide as such */
}

const char *
chart_metric_text(const char *metric)
{
	static const struct {
		const char *name, *text;
	} names[] = {
		{"wall_us", "wall time"}, {"cpu_us", "CPU time"}, {"flops", "floating point rate"},
		{"process_wall_us", "wall time of the process"}, {"process_user_us", "user time of the process"},
		{"process_sys_us", "system time of the process"}, {"max_rss_kib", "memory of the process"},
	};
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i].name, metric) == 0)
			return names[i].text;
	return metric;
}

void
chart_put_left(struct buffer *settings, size_t length)
{
	int font = length > 40 ? 8 : 10;
	double pixels = 16 + 0.62 * font * (double)length;

	pixels = fmin(fmax(pixels, 60), WIDTH / 2.0);
	figure_put_number(settings, "left", pixels / WIDTH);
	figure_put_number(settings, "name_font", font);
	figure_put_number(settings, "plot_pixels", 0.97 * WIDTH - pixels);
}

const json_t *
chart_treatment(const json_t *item, long long treatment)
{
	return json_find_integer(json_object_get(item, "treatments"), "treatment", treatment);
}

const json_t *
chart_pool(const json_t *item, long long treatment)
{
	return json_object_get(chart_treatment(item, treatment), "over_samples");
}

char *
chart_why_absent(const json_t *case_document, const char *name)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(case_document, "skipped"), i, one)
		if (strcmp(json_get_text(one, "name"), name) == 0)
			return memory_format("%s was skipped: %s", name, json_get_text(one, "reason"));
	return memory_format("%s was not measured", name);
}

bool
chart_is_invalid(const json_t *case_document, struct buffer *notes)
{
	const char *point = json_get_text(case_document, "point_text");

	if (!json_is_true(json_object_get(case_document, "invalid")))
		return false;
	buffer_printf(notes, "%s%snot shown, %s. ", point, point[0] != '\0' ? ": " : "",
		      json_get_text(case_document, "invalid_reason"));
	return true;
}

#include "figures/chart.h"

#include <stdlib.h>
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

double
chart_scale(const char *unit, double value, const char **text)
{
	static const struct {
		const char *unit, *text;
		double factor;
	} scales[] = {
		{"us", "s", 1e6}, {"us", "ms", 1e3}, {"us", "us", 1}, {"us", "ns", 1e-3},
		{"us/flop", "us/flop", 1}, {"us/flop", "ns/flop", 1e-3}, {"us/flop", "ps/flop", 1e-6},
		{"kib", "GiB", 1048576}, {"kib", "MiB", 1024}, {"kib", "KiB", 1},
		{"flop/s", "TFLOP/s", 1e12}, {"flop/s", "GFLOP/s", 1e9}, {"flop/s", "MFLOP/s", 1e6},
		{"flop/s", "FLOP/s", 1},
		{"B/s", "GB/s", 1e9}, {"B/s", "MB/s", 1e6},
	};
	double factor = 1;
	size_t i;

	*text = strcmp(unit, "1") == 0 ? "" : unit;

	for (i = 0; i < sizeof scales / sizeof *scales; i++)
		if (strcmp(scales[i].unit, unit) == 0) {
			*text = scales[i].text;
			factor = scales[i].factor;
			if (value >= factor)
				break;
		}
	return factor;
}

void
chart_put_unit(struct buffer *settings, const char *unit, const struct chart_range *range)
{
	const char *text;
	/* Times of an operation span decades, those of a sample seldom. */
	bool spans = strchr(unit, '/') != NULL && strcmp(unit, "flop/s") != 0;
	double factor = chart_scale(unit, spans ? sqrt(range->lo * range->hi) : range->hi, &text);

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
		{"ns_per_load", "time of a load"}, {"bytes_per_s", "bandwidth"},
		{"process_wall_us", "wall time of the process"}, {"process_user_us", "user time of the process"},
		{"process_sys_us", "system time of the process"}, {"max_rss_kib", "memory of the process"},
		{"wall_us_per_flop", "wall time"}, {"cpu_us_per_flop", "CPU time"}, /* the unit says the rest */
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

void
chart_note_lowered(const struct figure_input *input, const json_t *case_document,
		   struct buffer *notes)
{
	const json_t *metric = figure_metric(input), *one;
	size_t i;

	if (strcmp(json_get_text(metric, "unit"), "us") != 0)
		return;
	json_array_foreach(json_object_get(case_document, "lowered"), i, one) {
		char *text = memory_format("%s does less work in a sample, so its time does not compare: %s. ",
					   json_get_text(one, "name"), json_get_text(one, "reason"));

		if (strstr(buffer_text(notes), text) == NULL)
			buffer_puts(notes, text);
		free(text);
	}
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

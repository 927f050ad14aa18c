#include "figures/panels.h"

#include <math.h>

#include "base/json.h"
#include "figures/chart.h"
#include "figures/item_cases.h"

#define MAX_PANELS 6

size_t
panels_count(const json_t *cases, struct buffer *notes)
{
	size_t count = json_array_size(cases);

	if (count <= MAX_PANELS)
		return count;
	buffer_printf(notes, "The first %d of %zu %s. ", MAX_PANELS, count,
		      *json_get_text(json_array_get(cases, 0), "of_item") != '\0'
			      ? "items; choose others with item = \"...\""
			      : "cases; choose others with where = {...}");
	return MAX_PANELS;
}

static void
put_names(const json_t *list, const char *key, const char *prefix, struct buffer *settings)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		figure_put_indexed_text(settings, prefix, (int)i, json_get_text(one, key));
}

/* Of what is divided by the work: as it is, it would be nothing but zeros behind the point. Other
 * metrics say their unit in their name and are drawn in it. */
static void
put_scale(const json_t *metric, const json_t *cases, struct buffer *settings)
{
	const char *name = json_get_text(metric, "name"), *unit = json_get_text(metric, "unit");
	bool divided = json_is_string(json_object_get(metric, "per"));
	const char *unit_text = "";
	struct buffer text = BUFFER_EMPTY;
	const json_t *one, *treatment;
	double most = 0, factor = 1;
	size_t i, t;

	json_array_foreach((json_t *)cases, i, one)
		json_array_foreach(json_object_get(panels_item(one), "treatments"), t, treatment)
			most = fmax(most, json_get_number(treatment, "median"));
	if (divided)
		factor = chart_scale(unit, most, &unit_text);
	buffer_puts(&text, divided ? chart_metric_text(name) : name);
	if (divided)
		buffer_printf(&text, " (%s)", unit_text);
	figure_put_text(settings, "value_text", buffer_text(&text));
	buffer_printf(settings, "value_scale = real(%.17g)\n", factor);
	buffer_free(&text);
}

void
panels_put_settings(const struct figure_input *input, const json_t *cases, size_t panels,
		    struct buffer *settings)
{
	const json_t *treatments = json_object_get(input->experiment, "treatments");
	const json_t *metric = figure_metric(input);

	put_names(treatments, "name", "name", settings);
	put_names(cases, "point_text", "panel", settings);
	figure_put_number(settings, "treatment_count", (double)json_array_size(treatments));
	figure_put_number(settings, "panel_count", (double)panels);
	figure_put_number(settings, "HEIGHT", 110 + 230 * (double)(panels > 0 ? panels : 1));
	figure_put_text(settings, "title_text", json_get_text(input->experiment, "title"));
	figure_put_text(settings, "metric", json_get_text(metric, "name"));
	figure_put_text(settings, "unit", json_get_text(metric, "unit"));
	put_scale(metric, cases, settings);
}

const json_t *
panels_item(const json_t *case_document)
{
	const json_t *metric = json_array_get(json_object_get(case_document, "metrics"), 0);

	return json_array_get(json_object_get(metric, "items"), 0);
}

size_t
panels_begin(int panel, struct buffer *data)
{
	if (panel > 0)
		buffer_puts(data, "\n\n");
	return data->length;
}

void
panels_end(const json_t *case_document, int panel, size_t begin, struct buffer *data,
	   struct buffer *settings, struct buffer *notes)
{
	const char *point = json_get_text(case_document, "point_text");

	figure_put_indexed(settings, "shown", panel, data->length > begin);
	if (data->length > begin)
		return;
	buffer_printf(data, "%d\n", panel); /* gnuplot counts only blocks that hold something */
	buffer_printf(notes, "Nothing to show%s%s. ", point[0] != '\0' ? " at " : "", point);
}

void
panels_write(const struct figure_input *input, const char *header, panel_put *put,
	     struct buffer *data, struct buffer *settings, struct buffer *notes)
{
	json_t *cases = item_cases(input);
	size_t i, panels = panels_count(cases, notes);

	buffer_puts(data, header);
	for (i = 0; i < panels; i++) {
		size_t begin = panels_begin((int)i, data);

		put(json_array_get(cases, i), (int)i, data, settings);
		panels_end(json_array_get(cases, i), (int)i, begin, data, settings, notes);
	}
	panels_put_settings(input, cases, panels, settings);
	json_decref(cases);
}

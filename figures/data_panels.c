#include <math.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"
#include "figures/panels.h"
#include "figures/writers.h"

/* The figures with a panel a case whose numbers stand in stats.json as they are drawn. */

/* ---- ratios: kind 0 A/A (first over second), 1 AB, 2 BA; the estimate is a setting ---- */

static void
put_ratio(struct buffer *data, int panel, int kind, double x, double y)
{
	csv_put_integer(data, panel, ',');
	csv_put_integer(data, kind, ',');
	csv_put_number(data, x, ',');
	csv_put_number(data, y, '\n');
}

static void
put_ratios(const json_t *document, int panel, struct buffer *data, struct buffer *settings)
{
	const json_t *item = panels_item(document), *one;
	const json_t *comparison = json_array_get(json_object_get(item, "comparisons"), 0);
	const json_t *differences = json_object_get(json_object_get(item, "aa"), "differences");
	size_t i;

	figure_put_indexed(settings, "pair_count", panel, json_get_number(comparison, "pairs"));
	figure_put_indexed(settings, "estimate", panel, json_get_number(comparison, "speedup"));
	figure_put_indexed(settings, "lo", panel, json_get_number(comparison, "speedup_lo"));
	figure_put_indexed(settings, "hi", panel, json_get_number(comparison, "speedup_hi"));
	if (!isfinite(json_get_number(comparison, "speedup")))
		return;
	json_array_foreach((json_t *)differences, i, one)
		put_ratio(data, panel, 0, (double)i + 1, 1 / (1 + json_number_value(one)));
	json_array_foreach(json_object_get(comparison, "points"), i, one)
		put_ratio(data, panel, strcmp(json_get_text(one, "order"), "AB") == 0 ? 1 : 2,
			  json_get_number(one, "pair"), json_get_number(one, "speedup"));
}

int
figure_ratios(const struct figure_input *input, struct buffer *data, struct buffer *settings,
	      struct buffer *notes, struct error *error)
{
	(void)error;
	panels_write(input, "panel,kind,x,y\n", put_ratios, data, settings, notes);
	return 0;
}

/* ---- distribution: panel, treatment, value ---- */

static void
put_values(const json_t *document, int panel, struct buffer *data, struct buffer *settings)
{
	const json_t *treatment, *value;
	size_t t, i;

	(void)settings;
	json_array_foreach(json_object_get(panels_item(document), "treatments"), t, treatment)
		json_array_foreach(json_object_get(treatment, "values"), i, value) {
			csv_put_integer(data, panel, ',');
			csv_put_integer(data, (long long)t, ',');
			csv_put_number(data, json_get_number(value, "value"), '\n');
		}
}

int
figure_distribution(const struct figure_input *input, struct buffer *data,
		    struct buffer *settings, struct buffer *notes, struct error *error)
{
	(void)error;
	panels_write(input, "panel,treatment,value\n", put_values, data, settings, notes);
	return 0;
}

/* ---- drift: panel, treatment, run, seconds since the first, value, line, step ---- */

static double
first_start(const json_t *item)
{
	const json_t *treatment, *value;
	double first = INFINITY;
	size_t t, i;

	json_array_foreach(json_object_get(item, "treatments"), t, treatment)
		json_array_foreach(json_object_get(treatment, "values"), i, value)
			first = fmin(first, json_get_number(value, "started_ns"));
	return first;
}

static bool
is_step(const json_t *trend, size_t run)
{
	const json_t *change;
	size_t i;

	json_array_foreach(json_object_get(trend, "changes"), i, change)
		if ((size_t)json_integer_value(change) == run)
			return true;
	return false;
}

static void
put_drift(const json_t *document, int panel, struct buffer *data, struct buffer *settings)
{
	const json_t *item = panels_item(document), *treatment, *value;
	double first = first_start(item);
	size_t t, i;

	(void)settings;
	json_array_foreach(json_object_get(item, "treatments"), t, treatment) {
		const json_t *trend = json_object_get(treatment, "trend");
		double slope = json_get_number(trend, "slope");
		double intercept = json_get_number(trend, "intercept");

		json_array_foreach(json_object_get(treatment, "values"), i, value) {
			csv_put_integer(data, panel, ',');
			csv_put_integer(data, (long long)t, ',');
			csv_put_integer(data, (long long)i + 1, ',');
			csv_put_number(data, (json_get_number(value, "started_ns") - first) / 1e9, ',');
			csv_put_number(data, json_get_number(value, "value"), ',');
			csv_put_number(data, intercept + slope * (double)(i + 1), ',');
			csv_put_integer(data, is_step(trend, i + 1), '\n');
		}
	}
}

int
figure_drift(const struct figure_input *input, struct buffer *data, struct buffer *settings,
	     struct buffer *notes, struct error *error)
{
	(void)error;
	panels_write(input, "panel,treatment,run,seconds,value,line,step\n", put_drift, data, settings,
		     notes);
	return 0;
}

#include <math.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"
#include "figures/figure.h"
#include "figures/panels.h"
#include "figures/writers.h"

/*
 * scaling: speedups against the serial program, with their intervals, and the laws fitted to them;
 * one panel a case (the first six). Columns: panel, series, processors, speedup, lo, hi. Each panel
 * has a block a series, separated by two empty lines. Settings of series s in panel p, behind
 * <p>_<s>: serial_, parallel_ (Amdahl), fraction_ (Gustafson), gamma_, alpha_, beta_ (USL); NaN
 * where the law was not fitted.
 */

/* The largest of what is drawn. */
struct extent {
	double processors, speedup;
};

static void
put_law(struct buffer *settings, const char *name, int panel, int series, double value)
{
	if (isfinite(value))
		buffer_printf(settings, "%s_%d_%d = %.17g\n", name, panel, series, value);
	else
		buffer_printf(settings, "%s_%d_%d = NaN\n", name, panel, series);
}

static double
estimate(const json_t *fit, const char *key)
{
	return json_get_number(json_object_get(fit, key), "value");
}

static void
put_laws(const json_t *fits, int panel, int series, struct buffer *settings)
{
	const json_t *amdahl = json_object_get(fits, "amdahl"), *usl = json_object_get(fits, "usl");

	put_law(settings, "serial", panel, series, json_get_number(amdahl, "serial_time"));
	put_law(settings, "parallel", panel, series, json_get_number(amdahl, "parallel_time"));
	put_law(settings, "fraction", panel, series,
		estimate(json_object_get(fits, "gustafson"), "serial_fraction"));
	put_law(settings, "gamma", panel, series, estimate(usl, "gamma"));
	put_law(settings, "alpha", panel, series, estimate(usl, "alpha"));
	put_law(settings, "beta", panel, series, estimate(usl, "beta"));
}

/* A bar without a length where there is no interval. */
static void
put_series(const json_t *series, int panel, int number, struct extent *extent, struct buffer *data)
{
	const json_t *point;
	size_t i, begin = data->length;

	json_array_foreach(json_object_get(series, "points"), i, point) {
		double speedup = json_get_number(point, "speedup"), lo = json_get_number(point, "speedup_lo"),
		       hi = json_get_number(point, "speedup_hi");

		if (!isfinite(speedup))
			continue;
		csv_put_integer(data, panel, ',');
		csv_put_integer(data, number, ',');
		csv_put_number(data, json_get_number(point, "processors"), ',');
		csv_put_number(data, speedup, ',');
		csv_put_number(data, isfinite(lo) ? lo : speedup, ',');
		csv_put_number(data, isfinite(hi) ? hi : speedup, '\n');
		extent->processors = fmax(extent->processors, json_get_number(point, "processors"));
		extent->speedup = fmax(extent->speedup, isfinite(hi) ? hi : speedup);
	}
	if (data->length == begin)
		buffer_printf(data, "%d,%d\n", panel, number); /* gnuplot counts only blocks that hold something */
}

static void
put_panel(const json_t *document, int panel, size_t count, struct extent *extent, struct buffer *data,
	  struct buffer *settings, struct buffer *notes)
{
	const json_t *scaling = json_object_get(document, "scaling");
	const json_t *list = json_object_get(scaling, "series");
	const char *point = json_get_text(document, "point_text"), *lacks = json_get_text(scaling, "unavailable");
	size_t s;

	for (s = 0; s < count; s++) {
		const json_t *series = json_array_get(list, s);

		if (panel > 0 || s > 0)
			buffer_puts(data, "\n\n");
		put_series(series, panel, (int)s, extent, data);
		put_laws(json_object_get(series, "fits"), panel, (int)s, settings);
	}
	if (lacks[0] != '\0')
		buffer_printf(notes, "Nothing to show%s%s: %s. ", point[0] != '\0' ? " at " : "", point, lacks);
	figure_put_indexed(settings, "shown", panel, list != NULL);
}

static void
put_names(const json_t *declared, struct buffer *settings)
{
	const json_t *series;
	size_t s;

	json_array_foreach(json_object_get(declared, "series"), s, series)
		figure_put_indexed_text(settings, "series", (int)s, json_get_text(series, "name"));
}

int
figure_scaling(const struct figure_input *input, struct buffer *data, struct buffer *settings,
	       struct buffer *notes, struct error *error)
{
	const json_t *declared = json_object_get(input->experiment, "scaling"), *first;
	size_t count = json_array_size(json_object_get(declared, "series")), i, panels;
	struct extent extent = {1, 1};
	json_t *cases;

	if (declared == NULL)
		return error_set(error, EXIT_BAD_INPUT, "figure \"scaling\" of experiment %s: the experiment has no "
				 "scaling = { … }", json_get_text(input->experiment, "name"));
	cases = figure_cases(input);
	first = json_object_get(json_array_get(cases, 0), "scaling");
	panels = panels_count(cases, notes);
	buffer_puts(data, "panel,series,processors,speedup,lo,hi\n");
	for (i = 0; i < panels; i++)
		put_panel(json_array_get(cases, i), (int)i, count, &extent, data, settings, notes);
	panels_put_settings(input, cases, panels, settings);
	put_names(declared, settings);
	figure_put_number(settings, "series_count", (double)count);
	figure_put_number(settings, "most", extent.processors);
	figure_put_number(settings, "highest", extent.speedup);
	figure_put_text(settings, "over", json_get_text(declared, "over"));
	figure_put_text(settings, "serial_name", json_get_text(first, "serial"));
	figure_put_number(settings, "HEIGHT", 70 + 18 * (double)(count + 4) / 2 +
			  300 * (double)((panels + 1) / 2 > 0 ? (panels + 1) / 2 : 1));
	json_decref(cases);
	return 0;
}

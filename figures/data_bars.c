#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_table.h"
#include "base/json.h"
#include "base/memory.h"
#include "figures/chart.h"
#include "figures/item_cases.h"
#include "figures/panels.h"
#include "figures/peaks.h"
#include "figures/writers.h"

/*
 * bars: the samples of each treatment as one bar, their mean or, with of = "rate", the work they
 * did over the time it took. One panel a case, or item of a case; with pooled = true one for all.
 * Columns: panel, row, value, mean, sd, kept, relative (to the best), end (of the bar or of its
 * spread), lacks (1: nothing to show). Rows are the treatments, then the peaks, which have a
 * value alone.
 */

struct bar {
	double value, mean, sd, kept, work, seconds;
	size_t cases; /* that it is made of */
};

struct bars {
	const struct figure_input *input;
	size_t treatments, peaks;
	bool rate, lower, pooled;
	struct chart_range range; /* of all panels */
	bool logarithmic;         /* in any panel */
	struct buffer *data, *settings, *notes;
};

/* Of two pools together: Chan, Golub and LeVeque, The American Statistician 37 (1983). */
static void
combine(struct bar *bar, double mean, double sd, double kept)
{
	double all = bar->kept + kept, step = mean - bar->mean;
	double squares = (isfinite(bar->sd) ? bar->sd * bar->sd * (bar->kept - 1) : 0) +
			 (isfinite(sd) ? sd * sd * (kept - 1) : 0) + step * step * bar->kept * kept / all;

	bar->mean += step * kept / all;
	bar->sd = sqrt(squares / (all - 1));
	bar->kept = all;
}

static void
add_pool(struct bar *bar, const json_t *pool, bool rate)
{
	const json_t *of = rate ? json_object_get(pool, "rate") : pool;
	double mean = json_get_number(of, "mean"), sd = json_get_number(of, "sd");
	double kept = json_get_number(pool, "kept");

	if (!isfinite(mean))
		return;
	bar->work += json_get_number(of, "work");
	bar->seconds += json_get_number(of, "seconds");
	if (bar->cases++ == 0) {
		bar->mean = mean;
		bar->sd = sd;
		bar->kept = kept;
		bar->value = rate ? json_get_number(of, "work_over_time") : mean;
		return;
	}
	combine(bar, mean, sd, kept);
	bar->value = rate ? bar->work / bar->seconds : bar->mean;
}

/* A treatment over these cases: all of them or nothing. */
static struct bar
make_bar(const struct bars *bars, const json_t *cases, size_t treatment)
{
	struct bar bar = {.value = NAN};
	const json_t *document;
	size_t i;

	json_array_foreach((json_t *)cases, i, document)
		if (!json_is_true(json_object_get(document, "invalid")))
			add_pool(&bar, chart_pool(panels_item(document), (long long)treatment), bars->rate);
	if (bar.cases < json_array_size(cases))
		bar = (struct bar){.value = NAN, .cases = bar.cases};
	return bar;
}

static double
bar_end(const struct bar *bar)
{
	return bar->cases > 0 ? fmax(bar->value, bar->mean + bar->sd) : bar->value;
}

static void
put_row(struct bars *bars, int panel, size_t row, const struct bar *bar, double best)
{
	csv_put_integer(bars->data, panel, ',');
	csv_put_integer(bars->data, (long long)row, ',');
	csv_put_number(bars->data, bar->value, ',');
	csv_put_number(bars->data, bar->cases > 0 ? bar->mean : NAN, ',');
	csv_put_number(bars->data, bar->cases > 0 ? bar->sd : NAN, ',');
	csv_put_number(bars->data, bar->cases > 0 ? bar->kept : NAN, ',');
	csv_put_number(bars->data, bar->value / best, ',');
	csv_put_number(bars->data, bar_end(bar), ',');
	csv_put_integer(bars->data, !isfinite(bar->value), '\n');
}

/* Returns the largest value that the panel has to hold. */
static double
put_peaks(struct bars *bars, int panel, const json_t *document)
{
	double most = 0;
	size_t i;

	for (i = 0; i < bars->peaks; i++) {
		struct bar bar = {.value = peaks_rate(bars->input, i, document)};

		char *name = memory_format("peak_%d_%zu", panel, i);

		put_row(bars, panel, bars->treatments + i, &bar, NAN);
		figure_put_number(bars->settings, name, bar.value);
		free(name);
		most = fmax(most, bar.value);
		if (!isfinite(bar.value) && panel == 0)
			buffer_printf(bars->notes, "The peak %s was not measured. ",
				      peaks_name(bars->input, i));
	}
	return most;
}

/* Whether the treatment ran: it may have no value of the metric shown, but of the first one. */
static bool
was_measured(const struct bars *bars, const json_t *document, size_t treatment)
{
	const json_t *whole = json_object_get(json_object_get(bars->input->stats, "cases"),
					      json_get_text(document, "case_id"));
	const json_t *first = json_array_get(json_object_get(whole, "metrics"), 0);
	const json_t *item = json_array_get(json_object_get(first, "items"), 0);

	return json_get_integer(chart_pool(item, (long long)treatment), "kept", 0) > 0;
}

/* Said once, in the first panel that lacks it. */
static void
note_absent(struct bars *bars, const json_t *cases, size_t treatment)
{
	const json_t *treatments = json_object_get(bars->input->experiment, "treatments");
	const char *name = json_get_text(json_array_get(treatments, treatment), "name");
	const json_t *pool = chart_pool(panels_item(json_array_get(cases, 0)), (long long)treatment);
	char *why = json_get_integer(pool, "kept", 0) > 0
			    ? memory_format("%s does not say its work", name)
		    : was_measured(bars, json_array_get(cases, 0), treatment)
			    ? memory_format("%s has no %s", name,
					    json_get_text(figure_metric(bars->input), "name"))
			    : chart_why_absent(json_array_get(cases, 0), name);

	if (!json_is_true(json_object_get(json_array_get(cases, 0), "invalid")) &&
	    strstr(buffer_text(bars->notes), why) == NULL)
		buffer_printf(bars->notes, "%s. ", why);
	free(why);
}

static void
put_panel(struct bars *bars, int panel, const json_t *cases)
{
	struct chart_range range = CHART_RANGE_EMPTY;
	double best = NAN, most = 0;
	size_t t, begin = panels_begin(panel, bars->data), shown = 0;

	for (t = 0; t < bars->treatments; t++) {
		struct bar bar = make_bar(bars, cases, t);

		best = bars->lower ? fmin(best, bar.value) : fmax(best, bar.value);
	}
	for (t = 0; t < bars->treatments; t++) {
		struct bar bar = make_bar(bars, cases, t);

		put_row(bars, panel, t, &bar, best);
		chart_add(&bars->range, bar.value);
		chart_add(&range, bar.value);
		most = fmax(most, bar_end(&bar));
		shown += isfinite(bar.value);
		if (bar.cases == 0)
			note_absent(bars, cases, t);
		if (bars->pooled && bar.cases > 0 && !isfinite(bar.value))
			buffer_printf(bars->notes, "%s was measured in %zu of %zu cases and is left out. ",
				      json_get_text(json_array_get(json_object_get(bars->input->experiment,
										   "treatments"), t), "name"),
				      bar.cases, json_array_size(cases));
	}
	most = fmax(most, put_peaks(bars, panel, bars->pooled ? NULL : json_array_get(cases, 0)));
	bars->logarithmic = bars->logarithmic || chart_logarithmic(bars->input, &range);
	figure_put_indexed(bars->settings, "x_most", panel, most);
	figure_put_indexed(bars->settings, "x_least", panel, range.lo);
	figure_put_indexed(bars->settings, "shown", panel, begin < bars->data->length && shown > 0);
}

static size_t
put_all(struct bars *bars, const json_t *cases)
{
	size_t panels = bars->pooled ? 1 : panels_count(cases, bars->notes), i;

	for (i = 0; i < json_array_size(cases); i++)
		if (!chart_is_invalid(json_array_get(cases, i), bars->notes) && !bars->rate)
			chart_note_lowered(bars->input, json_array_get(cases, i), bars->notes);
	for (i = 0; i < panels; i++) {
		json_t *one = json_pack("[O]", json_array_get(cases, i));

		put_panel(bars, (int)i, bars->pooled ? cases : one);
		json_decref(one);
	}
	return panels;
}

/* Names of the rows; returns the length of the longest. */
static size_t
put_names(const struct bars *bars)
{
	const json_t *treatments = json_object_get(bars->input->experiment, "treatments"), *one;
	size_t i, longest = 0;

	json_array_foreach((json_t *)treatments, i, one)
		longest = strlen(json_get_text(one, "name")) > longest ? strlen(json_get_text(one, "name"))
								       : longest;
	for (i = 0; i < bars->peaks; i++) {
		char *name = memory_format("peak: %s", peaks_name(bars->input, i));

		figure_put_indexed_text(bars->settings, "name", (int)(bars->treatments + i), name);
		longest = strlen(name) > longest ? strlen(name) : longest;
		free(name);
	}
	return longest;
}

static void
put_settings(const struct bars *bars, const json_t *cases, size_t panels)
{
	const json_t *metric = figure_metric(bars->input);
	const char *text = chart_metric_text(json_get_text(metric, "name"));
	size_t rows = bars->treatments + bars->peaks;

	panels_put_settings(bars->input, cases, panels, bars->settings);
	if (bars->pooled)
		figure_put_text(bars->settings, "panel_0", "all cases together");
	chart_put_left(bars->settings, put_names(bars));
	chart_put_unit(bars->settings, bars->rate ? "flop/s" : json_get_text(metric, "unit"), &bars->range);
	figure_put_number(bars->settings, "peak_count", (double)bars->peaks);
	figure_put_number(bars->settings, "rate", bars->rate);
	figure_put_text(bars->settings, "best_text", bars->lower ? "least" : "most");
	figure_put_number(bars->settings, "x_log", bars->logarithmic);
	figure_put_text(bars->settings, "x_text", text);
	figure_put_number(bars->settings, "HEIGHT",
			  100 + (double)(panels > 0 ? panels : 1) * (54 + 20 * (double)rows));
}

int
figure_bars(const struct figure_input *input, struct buffer *data, struct buffer *settings,
	    struct buffer *notes, struct error *error)
{
	const json_t *of = figure_option(input, "of");
	const char *what = of != NULL ? json_string_value(of) : "mean";
	struct bars bars = {
		.input = input, .range = CHART_RANGE_EMPTY, .data = data, .settings = settings,
		.notes = notes, .pooled = json_is_true(figure_option(input, "pooled")),
		.treatments = json_array_size(json_object_get(input->experiment, "treatments")),
	};
	json_t *cases;
	size_t panels;

	if (what == NULL || (strcmp(what, "mean") != 0 && strcmp(what, "rate") != 0))
		return error_set(error, EXIT_BAD_INPUT, "figure \"%s\" of %s: `of` is \"mean\" or \"rate\"",
				 json_get_text(input->figure, "label"), json_get_text(input->experiment, "name"));
	bars.rate = strcmp(what, "rate") == 0;
	bars.lower = !bars.rate && strcmp(json_get_text(figure_metric(input), "better"), "higher") != 0;
	bars.peaks = bars.rate ? peaks_count(input) : 0;
	cases = item_cases(input);
	buffer_puts(data, "panel,row,value,mean,sd,kept,relative,end,lacks\n");
	panels = put_all(&bars, cases);
	put_settings(&bars, cases, panels);
	json_decref(cases);
	return 0;
}

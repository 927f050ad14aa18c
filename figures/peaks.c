#include "figures/peaks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "figures/chart.h"

size_t
peaks_count(const struct figure_input *input)
{
	const json_t *asked = figure_option(input, "peak");
	size_t count = json_is_string(asked) ? 1 : json_array_size(asked);

	return count < PEAKS_MOST ? count : PEAKS_MOST;
}

const char *
peaks_name(const struct figure_input *input, size_t peak)
{
	const json_t *asked = figure_option(input, "peak");
	const char *name = json_string_value(json_is_array(asked) ? json_array_get(asked, peak) : asked);

	return name != NULL && peak < peaks_count(input) ? name : "";
}

/* The entry of a list whose name is the first `length` letters. */
static const json_t *
find_named(const json_t *list, const char *name, size_t length)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one) {
		const char *have = json_get_text(one, "name");

		if (strlen(have) == length && strncmp(have, name, length) == 0)
			return one;
	}
	return NULL;
}

/* Do the two agree in each dimension that both have? */
static bool
same_point(const json_t *one, const json_t *other)
{
	const char *key;
	json_t *value;

	if (one == NULL)
		return false;
	json_object_foreach((json_t *)one, key, value) {
		const json_t *have = json_object_get(other, key);

		if (have != NULL && !json_equal(value, have))
			return false;
	}
	return true;
}

/* In the metric that the figure shows, or the first one. */
static double
rate_in_case(const json_t *document, const char *metric, long long treatment)
{
	const json_t *metrics = json_object_get(document, "metrics");
	const json_t *found = find_named(metrics, metric, strlen(metric)), *items;
	const char *per = strstr(metric, "_per_flop");

	if (found == NULL && per != NULL) /* a rate is the same of a time divided or not */
		found = find_named(metrics, metric, (size_t)(per - metric));
	items = json_object_get(found != NULL ? found : json_array_get(metrics, 0), "items");
	if (json_is_true(json_object_get(document, "invalid")))
		return NAN;
	return json_get_number(json_object_get(chart_pool(json_array_get(items, 0), treatment), "rate"),
			       "work_over_time");
}

/* "ceiling" of "ceiling/fma". */
static const json_t *
find_experiment(const json_t *experiments, const char *name)
{
	return find_named(experiments, name, strcspn(name, "/"));
}

static void
read_cases(const json_t *experiment, json_t *cases)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(experiment, "cases"), i, one) {
		const char *case_id = json_get_text(one, "case_id");
		char *path = memory_format("build/stats/%s.json", case_id);

		if (file_exists(path))
			json_object_set_new(cases, case_id, json_read_file(path, NULL));
		free(path);
	}
}

static void
read_peak(const json_t *study, const json_t *whole, const char *name, json_t *elsewhere)
{
	json_t *experiments = json_object_get(elsewhere, "experiments");
	const json_t *experiment = find_experiment(json_object_get(whole, "experiments"), name);

	if (strchr(name, '/') == NULL || find_experiment(json_object_get(study, "experiments"), name) != NULL ||
	    experiment == NULL || find_experiment(experiments, name) != NULL)
		return;
	json_array_append(experiments, (json_t *)experiment);
	read_cases(experiment, json_object_get(elsewhere, "cases"));
}

json_t *
peaks_read_elsewhere(const json_t *study, const json_t *figure)
{
	struct figure_input input = {.study = study, .figure = figure};
	json_t *elsewhere = json_pack("{s:[], s:{}}", "experiments", "cases"), *whole = NULL;
	size_t i;

	for (i = 0; i < peaks_count(&input); i++) {
		if (whole == NULL && file_exists("build/study.json"))
			whole = json_read_file("build/study.json", NULL);
		read_peak(study, whole, peaks_name(&input, i), elsewhere);
	}
	json_decref(whole);
	return elsewhere;
}

double
peaks_rate(const struct figure_input *input, size_t peak, const json_t *case_document)
{
	const char *name = peaks_name(input, peak), *slash = strchr(name, '/');
	const json_t *experiment = input->experiment, *cases = json_object_get(input->stats, "cases");
	const json_t *treatment, *one;
	const char *metric = json_get_text(figure_metric(input), "name");
	const char *variant = slash != NULL ? slash + 1 : name;
	const json_t *here = json_object_get(case_document, "point");
	double most = NAN, most_here = NAN;
	size_t i;

	if (slash != NULL)
		experiment = find_experiment(json_object_get(input->study, "experiments"), name);
	if (experiment == NULL) {
		experiment = find_experiment(json_object_get(input->elsewhere, "experiments"), name);
		cases = json_object_get(input->elsewhere, "cases");
	}
	treatment = find_named(json_object_get(experiment, "treatments"), variant, strlen(variant));
	if (treatment == NULL)
		return NAN;
	json_array_foreach(json_object_get(experiment, "cases"), i, one) {
		double rate = rate_in_case(json_object_get(cases, json_get_text(one, "case_id")), metric, json_get_integer(treatment, "index", -1));

		most = fmax(most, rate);
		if (same_point(here, json_object_get(one, "point")))
			most_here = fmax(most_here, rate);
	}
	return isfinite(most_here) ? most_here : most;
}

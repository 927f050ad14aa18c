#include "analysis/judge/rates.h"

#include <math.h>
#include <string.h>

#include "base/json.h"

/* The treatment's entry of the metric wall_us; NULL where there is none, or several items, which
 * have no work of their own. */
static const json_t *
wall_of(const json_t *document, long long treatment)
{
	const json_t *metric, *one, *items;
	size_t m, t;

	if (json_is_true(json_object_get(document, "invalid")))
		return NULL;
	json_array_foreach(json_object_get(document, "metrics"), m, metric) {
		if (strcmp(json_get_text(metric, "name"), "wall_us") != 0)
			continue;
		items = json_object_get(metric, "items");
		if (json_array_size(items) != 1)
			return NULL;
		json_array_foreach(json_object_get(json_array_get(items, 0), "treatments"), t, one)
			if (json_get_integer(one, "treatment", -1) == treatment)
				return one;
	}
	return NULL;
}

/* work / time: the longest time makes the lowest rate. */
static json_t *
rate_document(double work, const json_t *wall)
{
	double us = json_get_number(wall, "median");

	if (!(work > 0) || !(us > 0))
		return json_null();
	return json_pack("{s:f, s:o, s:o}", "value", 1e6 * work / us, "lo",
			 json_number_or_null(1e6 * work / json_get_number(wall, "median_hi")), "hi",
			 json_number_or_null(1e6 * work / json_get_number(wall, "median_lo")));
}

static json_t *
entry_document(const json_t *experiment, const json_t *document, const json_t *declared)
{
	const json_t *treatment = json_object_get(declared, "treatment");
	const json_t *named = json_array_get(json_object_get(experiment, "treatments"),
					     (size_t)json_integer_value(treatment));
	const json_t *wall = wall_of(document, json_integer_value(treatment));
	double flops = json_get_number(declared, "flops"), bytes = json_get_number(declared, "bytes");

	return json_pack("{s:O, s:s, s:f, s:f, s:o, s:o, s:o, s:o}", "treatment",
			 treatment, "name", json_get_text(named, "name"), "flops",
			 flops, "bytes", bytes, "seconds",
			 json_number_or_null(json_get_number(wall, "median") / 1e6), "level",
			 json_number_or_null(json_get_number(wall, "median_level")), "flop_rate",
			 rate_document(flops, wall), "byte_rate", rate_document(bytes, wall));
}

void
rates_judge(const json_t *study, json_t *cases)
{
	const json_t *experiment, *one, *declared;
	size_t e, c, w;

	json_array_foreach(json_object_get(study, "experiments"), e, experiment)
		json_array_foreach(json_object_get(experiment, "cases"), c, one) {
			json_t *document = json_object_get(cases, json_get_text(one, "case_id"));
			json_t *list = json_array();

			json_array_foreach(json_object_get(one, "work"), w, declared)
				json_array_append_new(list, entry_document(experiment, document, declared));
			if (json_array_size(list) > 0)
				json_object_set(document, "work", list);
			json_decref(list);
		}
}

json_t *
rates_find(const json_t *case_document, long long treatment)
{
	json_t *one;
	size_t i;

	json_array_foreach(json_object_get(case_document, "work"), i, one)
		if (json_get_integer(one, "treatment", -1) == treatment)
			return one;
	return NULL;
}

struct estimate
rates_get(const json_t *entry, const char *name)
{
	const json_t *rate = json_object_get(entry, name);

	return (struct estimate){json_get_number(rate, "value"), json_get_number(rate, "lo"),
				 json_get_number(rate, "hi")};
}

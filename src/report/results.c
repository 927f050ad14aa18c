#include "report/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "report/document.h"
#include "report/scaling_results.h"
#include "spec/counter_names.h"
#include "spec/diagnosis.h"

static void
copy(json_t *to, const json_t *from, const char *const *keys)
{
	for (; *keys != NULL; keys++) {
		json_t *value = json_object_get(from, *keys);

		json_object_set(to, *keys, value != NULL ? value : json_null());
	}
}

/* Work over time, where the variant declares its work. */
static void
put_rates(const json_t *document, const json_t *treatment, json_t *variant)
{
	const json_t *work, *rate;
	size_t i;

	json_array_foreach(json_object_get(document, "work"), i, work) {
		if (json_get_integer(work, "treatment", -1) != json_get_integer(treatment, "treatment", -2))
			continue;
		rate = json_object_get(work, "flop_rate");
		json_object_set_new(variant, "flop_rate", json_number_or_null(json_get_number(rate, "value")));
		rate = json_object_get(work, "byte_rate");
		json_object_set_new(variant, "byte_rate", json_number_or_null(json_get_number(rate, "value")));
	}
}

static json_t *
variant_document(const json_t *treatment, const char *unit, bool invalid)
{
	static const char *const numbers[] = {"median", "min", "max", "mad", "mean", "sd", NULL};
	static const char *const counts[] = {"groups", "samples", NULL};
	static const json_t *nothing;
	json_t *object = json_object();

	copy(object, invalid ? nothing : treatment, numbers);
	copy(object, treatment, counts);
	json_object_set_new(object, "unit", json_string(unit));
	return object;
}

static json_t *
comparison_entry(const json_t *comparison)
{
	static const char *const keys[] = {"speedup", "speedup_lo", "speedup_hi", "level", "p", "pairs",
					   "noise_floor_percent", "median_paired_speedup",
					   "ratio_of_medians", "verdict", "sentence", NULL};
	json_t *object = json_object();

	copy(object, comparison, keys);
	json_object_set_new(object, "slot_effect_percent",
			    json_number_or_null(
				    100 * expm1(json_get_number(comparison, "slot_effect"))));
	return object;
}

static json_t *
variants_of(const json_t *document, const json_t *metric, const json_t *item, bool invalid)
{
	const char *unit = json_get_text(metric, "unit");
	json_t *variants = json_object(), *variant;
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(item, "treatments"), i, one) {
		variant = variant_document(one, unit, invalid);
		put_rates(document, one, variant);
		json_object_set_new(variants, json_get_text(one, "name"), variant);
	}
	return variants;
}

static json_t *
rooflines_of(const json_t *document)
{
	json_t *points = json_object(), *one;
	size_t i;

	json_array_foreach(json_object_get(document, "roofline"), i, one)
		json_object_set(points, json_get_text(one, "name"), one);
	return points;
}

static json_t *
comparisons_of(const json_t *item)
{
	json_t *comparisons = json_object();
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(item, "comparisons"), i, one) {
		char *key = memory_format("%s/%s", json_get_text(one, "b_name"),
					  json_get_text(one, "a_name"));

		json_object_set_new(comparisons, key, comparison_entry(one));
		free(key);
	}
	return comparisons;
}

/* Of the case, or of the item: { variant: { event or ratio: number } }, and why an event is not
 * there. Everything asked for has its name, so that what is unavailable is told as such. */
static void
put_counters(const json_t *document, const char *item, json_t *entry)
{
	json_t *counts = json_object(), *ratios = json_object(), *missing = json_object();
	const json_t *one, *event, *ratio;
	const char *name;
	json_t *variant;
	size_t t, e;

	json_array_foreach(json_object_get(document, "counters"), t, one) {
		json_t *values, *made;

		if (strcmp(json_get_text(one, "item"), item) != 0)
			continue;
		values = json_object();
		made = json_object();
		json_array_foreach(json_object_get(one, "events"), e, event) {
			name = json_get_text(event, "event");
			json_object_set(values, name, json_object_get(event, "value"));
			json_object_set(missing, name, json_object_get(event, "reason"));
		}
		for (e = 0; counter_ratio_names[e] != NULL; e++)
			json_object_set_new(made, counter_ratio_names[e], json_null());
		json_array_foreach(json_object_get(one, "ratios"), e, ratio)
			json_object_set(made, json_get_text(ratio, "ratio"), json_object_get(ratio, "value"));
		json_object_set_new(counts, json_get_text(one, "name"), values);
		json_object_set_new(ratios, json_get_text(one, "name"), made);
	}
	json_object_foreach(json_object_get(entry, "variants"), name, variant)
		if (json_object_get(counts, name) == NULL) { /* skipped, or nothing is valid */
			json_object_set_new(counts, name, json_null());
			json_object_set_new(ratios, name, json_null());
		}
	json_object_set_new(entry, "counters", counts);
	json_object_set_new(entry, "ratios", ratios);
	json_object_set_new(entry, "uncounted",
			    json_object_size(missing) > 0 ? json_incref(missing) : json_null());
	json_decref(missing);
}

/* Its numbers by each metric of the experiment; the item's own where it has several. */
static json_t *
metrics_of(const json_t *document, const char *name)
{
	bool invalid = json_is_true(json_object_get(document, "invalid"));
	json_t *metrics = json_object();
	const json_t *metric, *item;
	size_t m, i;

	json_array_foreach(json_object_get(document, "metrics"), m, metric)
		json_array_foreach(json_object_get(metric, "items"), i, item)
			if (strcmp(json_get_text(item, "item"), name) == 0)
				json_object_set_new(metrics, json_get_text(metric, "name"),
						    json_pack("{s:o, s:o}", "variants",
							      variants_of(document, metric, item, invalid), "comparisons",
							      comparisons_of(item)));
	return metrics;
}

/* The worst of each kind, by its code. */
static json_t *
warnings_of(const json_t *document)
{
	static const char *const keys[] = {"text", "advice", "value", "severity", NULL};
	json_t *warnings = json_object(), *entry;
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(document, "warnings"), i, one) {
		const char *code = json_get_text(one, "code");
		const json_t *other = json_object_get(warnings, code);

		if (other != NULL && json_get_number(other, "severity") >= json_get_number(one, "severity"))
			continue;
		entry = json_pack("{s:b}", "told", 1);
		copy(entry, one, keys);
		json_object_set_new(warnings, code, entry);
	}
	return warnings;
}

/* A null where nothing was chosen: what is asked of it is then unavailable. */
static json_t *
entry_or_null(const json_t *comparison)
{
	return json_is_object(comparison) ? comparison_entry(comparison) : json_null();
}

static json_t *
search_entry(const json_t *search)
{
	static const char *const keys[] = {"label", "chosen", "against", "flattered_percent", NULL};
	json_t *object = json_object(), *candidates = json_object();
	const json_t *one, *confirmed = json_object_get(search, "confirmed");
	const char *by = json_get_text(search, "chosen_by");
	size_t i;

	copy(object, search, keys);
	json_array_foreach(json_object_get(search, "candidates"), i, one)
		json_object_set(candidates, json_get_text(one, "name"), json_object_get(one, by));
	json_object_set_new(object, "candidates", candidates);
	json_object_set(object, "blocks", json_object_get(search, "pairs"));
	json_object_set_new(object, "searched", entry_or_null(json_object_get(search, "searched")));
	json_object_set_new(object, "confirmed", entry_or_null(confirmed));
	return object;
}

/* By the name of the kernel; a perturbation that the experiment does not have is null. */
static json_t *
watermarks_of(const json_t *document)
{
	static const char *const keys[] = {"resource", "why", "sentence", "agrees", "bandwidth_share", NULL};
	static const char *const of_effects[] = {"effect", "factor", "factor_lo", "factor_hi", NULL};
	static const char *const names[] = {"arithmetic_added", "arithmetic_removed", "one_element", "sync_removed"};
	json_t *watermarks = json_object(), *object;
	const json_t *one, *effect;
	size_t i, k;

	json_array_foreach(json_object_get(document, "watermark"), i, one) {
		object = json_object();
		copy(object, one, keys);
		for (k = 0; k < sizeof names / sizeof *names; k++)
			json_object_set_new(object, names[k], json_null());
		json_array_foreach(json_object_get(one, "effects"), k, effect) {
			json_t *entry = json_object();

			copy(entry, effect, of_effects);
			json_object_set_new(object, json_get_text(effect, "perturbation"), entry);
		}
		json_object_set_new(watermarks, json_get_text(one, "name"), object);
	}
	return watermarks;
}

/* A case as its only item, or one item of several, has it. */
static json_t *
item_entry(const json_t *document, const json_t *item)
{
	const json_t *first = json_array_get(json_object_get(item, "comparisons"), 0);
	bool invalid = json_is_true(json_object_get(document, "invalid"));
	json_t *entry = json_object();
	double aa = json_get_number(json_object_get(item, "aa"), "median_abs_difference");

	json_object_set(entry, "case_id", json_object_get(document, "case_id"));
	json_object_set(entry, "point", json_object_get(document, "point"));
	json_object_set(entry, "pairs",
			json_object_get(json_object_get(document, "pairs"), "complete"));
	json_object_set(entry, "groups",
			json_object_get(json_object_get(document, "groups"), "complete"));
	json_object_set(entry, "exploratory", json_object_get(document, "exploratory"));
	json_object_set_new(entry, "noise_floor_percent",
			    json_number_or_null(json_get_number(first, "noise_floor_percent")));
	json_object_set_new(entry, "verdict", json_string(json_get_text(first, "verdict")));
	json_object_set_new(entry, "aa_median_abs_difference_percent", json_number_or_null(100 * aa));
	json_object_set_new(entry, "variants", variants_of(document, document_primary(document), item, invalid));
	json_object_set_new(entry, "comparisons", comparisons_of(item));
	put_counters(document, json_get_text(item, "item"), entry);
	json_object_set_new(entry, "metrics", metrics_of(document, json_get_text(item, "item")));
	json_object_set_new(entry, "warnings", warnings_of(document));
	if (json_object_get(item, "search") != NULL)
		json_object_set_new(entry, "search", search_entry(json_object_get(item, "search")));
	json_object_set_new(entry, "rooflines", rooflines_of(document));
	json_object_set_new(entry, "watermarks", watermarks_of(document));
	return entry;
}

/* Of several items none stands for the case: what only an item has is unavailable there. */
static json_t *
case_entry(const json_t *document)
{
	static const char *const of_items[] = {"noise_floor_percent", "verdict",
					       "aa_median_abs_difference_percent", "variants",
					       "comparisons", "metrics", "search"};
	const json_t *list = json_object_get(document_primary(document), "items"), *item;
	json_t *entry = item_entry(document, json_array_get(list, 0)), *items = json_object();
	size_t i;

	json_array_foreach((json_t *)list, i, item)
		json_object_set_new(items, json_get_text(item, "item"), item_entry(document, item));
	for (i = 0; json_array_size(list) > 1 && i < sizeof of_items / sizeof *of_items; i++)
		if (json_object_get(entry, of_items[i]) != NULL)
			json_object_set_new(entry, of_items[i], json_null());
	json_object_set_new(entry, "items", items);
	json_object_set_new(entry, "scaling", scaling_results(json_object_get(document, "scaling")));
	return entry;
}

/* The run of a tool as prose sees it; what it does not tell is unavailable. */
static json_t *
diagnosis_entry(const char *tool, const json_t *run)
{
	static const char *const texts[] = {"state", "reason", "version", NULL};
	json_t *view = diagnosis_view(tool), *value;
	const json_t *result = json_object_get(run, "result");
	const char *name;
	size_t i;

	json_object_set_new(view, "state", json_string("not run"));
	json_object_set_new(view, "reason", json_string("it was not run here yet"));
	for (i = 0; texts[i] != NULL && run != NULL; i++)
		json_object_set(view, texts[i], json_object_get(run, texts[i]));
	if (json_is_null(result) || result == NULL)
		return view;
	json_object_set(view, "summary", json_object_get(result, "summary"));
	json_object_set(view, "hottest", json_object_get(result, "hottest"));
	json_object_foreach(json_object_get(result, "values"), name, value)
		json_object_set(view, name, value);
	return view;
}

static const json_t *
find_run(const json_t *diagnoses, const char *case_id, const char *tool, const char *name)
{
	const json_t *run;
	size_t i;

	json_array_foreach(json_object_get(diagnoses, "runs"), i, run)
		if (strcmp(json_get_text(run, "case_id"), case_id) == 0 &&
		    strcmp(json_get_text(run, "tool"), tool) == 0 &&
		    strcmp(json_get_text(run, "name"), name) == 0)
			return run;
	return NULL;
}

static void
put_diagnoses(const json_t *experiment, const char *case_id, const json_t *diagnoses, json_t *entry)
{
	const json_t *asked = json_object_get(experiment, "diagnose"), *one, *tool, *name;
	json_t *runs = json_object();
	size_t c, t, n;

	json_array_foreach(json_object_get(asked, "cases"), c, one)
		json_array_foreach(json_object_get(asked, "tools"), t, tool)
			json_array_foreach(json_object_get(asked, "treatments"), n, name) {
				const char *words[] = {json_string_value(tool), json_string_value(name)};
				char *key = diagnosis_key(words[0], words[1]);

				if (strcmp(json_string_value(one), case_id) == 0)
					json_object_set_new(runs, key, diagnosis_entry(words[0],
						find_run(diagnoses, case_id, words[0], words[1])));
				free(key);
			}
	json_object_set_new(entry, "diagnoses", runs);
}

json_t *
results_document(const json_t *study, const json_t *experiment, const json_t *stats,
		 const json_t *diagnoses)
{
	const json_t *design = json_object_get(experiment, "design"), *one;
	const json_t *documents = json_object_get(stats, "cases");
	const json_t *measured = json_object_get(stats, "measured_at");
	const char *date = json_string_value(json_array_get(measured, 1));
	json_t *cases = json_array();
	size_t c;

	json_array_foreach(json_object_get(experiment, "cases"), c, one) {
		json_t *entry = case_entry(json_object_get(documents, json_get_text(one, "case_id")));

		put_diagnoses(experiment, json_get_text(one, "case_id"), diagnoses, entry);
		json_array_append_new(cases, entry);
	}
	return json_pack("{s:{s:s, s:s, s:s, s:s%, s:s}, s:{s:s, s:s, s:s, s:I, s:I, s:I}, s:o}", "study",
			 "name", json_get_text(study, "name"), "title", json_get_text(study, "title"),
			 "commit", json_get_text(stats, "commit"), "date", date != NULL ? date : "",
			 date != NULL && strlen(date) > 10 ? (size_t)10 : strlen(date != NULL ? date : ""),
			 "machine", json_get_text(json_object_get(stats, "machine"), "model"), "experiment",
			 "name", json_get_text(experiment, "name"), "title",
			 json_get_text(experiment, "title"), "question",
			 json_get_text(experiment, "question"), "pairs",
			 (json_int_t)json_get_integer(design, "pairs", 0), "aa_pairs",
			 (json_int_t)json_get_integer(design, "aa_pairs", 0), "samples",
			 (json_int_t)json_get_integer(design, "samples", 0), "cases", cases);
}

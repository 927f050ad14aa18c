#include "spec/prose.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "spec/counter_names.h"
#include "spec/diagnosis.h"
#include "spec/host_state.h"
#include "spec/scalings.h"
#include "spec/suggest.h"
#include "spec/watermark.h"

static json_t *
dummy_study(const struct study *study)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", study->name, "title", study->title, "commit",
			 "0123456789abcdef0123456789abcdef01234567", "date", "2026-01-01", "machine",
			 "a machine");
}

static json_t *
dummy_experiment(const struct experiment *e)
{
	return json_pack("{s:s, s:s, s:s, s:i, s:i, s:i}", "name", e->name, "title", e->title, "question",
			 e->question, "pairs", e->design.pairs, "aa_pairs", e->design.aa_pairs, "samples",
			 e->design.samples);
}

static json_t *
dummy_variants(const struct experiment *e, const struct study_case *one, const char *unit)
{
	json_t *variants = json_object();
	size_t i;

	for (i = 0; i < one->treatment_count; i++) {
		json_t *variant = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:i, s:s}", "median", 1000.5, "min",
					    990.25, "max", 1100.75, "mad", 5.5, "mean", 1002.5, "sd", 7.5, "groups",
					    e->design.pairs, "samples", e->design.pairs * e->design.samples,
					    "unit", unit);

		if (one->treatments[i].work.declared)
			json_object_update_new(variant, json_pack("{s:f, s:f}", "flop_rate", 1.5e9, "byte_rate",
								  2.5e10));
		json_object_set_new(variants, one->treatments[i].name, variant);
	}
	return variants;
}

static json_t *
dummy_comparison(const struct experiment *e)
{
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:i, s:f, s:f, s:f, s:f, s:s, s:s}", "speedup", 1.25,
			 "speedup_lo", 1.2, "speedup_hi", 1.3, "level", 0.95, "p", 0.001, "pairs",
			 e->design.pairs, "noise_floor_percent", 0.6, "median_paired_speedup", 1.24,
			 "ratio_of_medians", 1.26, "slot_effect_percent", 0.1, "verdict", "faster",
			 "sentence", "b is 1.25 times as fast as a [1.20, 1.30]");
}

static json_t *
dummy_rooflines(const struct study_case *one)
{
	json_t *points = json_object(), *point;
	size_t i, k;
	static const char *const estimates[] = {"peak", "bandwidth", "achieved", "share"};

	for (i = 0; i < one->treatment_count; i++) {
		if (one->treatments[i].peak.case_id == NULL)
			continue;
		point = json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:b, s:f, s:f, s:f}", "treatment", (json_int_t)i,
				  "name", one->treatments[i].name, "peak_name", "a/b", "bandwidth_name", "a/c",
				  "reason", "", "bound", "memory", "done", 0, "intensity", 0.125, "ridge", 4.5,
				  "attainable", 2.5e9);
		for (k = 0; k < 4; k++) {
			char name[32];

			json_object_set_new(point, estimates[k], json_real(0.75));
			snprintf(name, sizeof name, "%s_lo", estimates[k]);
			json_object_set_new(point, name, json_real(0.5));
			snprintf(name, sizeof name, "%s_hi", estimates[k]);
			json_object_set_new(point, name, json_real(0.875));
		}
		json_object_set_new(points, one->treatments[i].name, point);
	}
	return points;
}

static json_t *
dummy_comparisons(const struct experiment *e, const struct study_case *one)
{
	json_t *comparisons = json_object();
	struct buffer key = BUFFER_EMPTY;
	size_t i;

	for (i = 0; i < e->comparison_count; i++) {
		buffer_clear(&key);
		buffer_printf(&key, "%s/%s", one->treatments[e->comparisons[i].b].name,
			      one->treatments[e->comparisons[i].a].name);
		json_object_set_new(comparisons, buffer_text(&key), dummy_comparison(e));
	}
	buffer_free(&key);
	return comparisons;
}

/* As they are where everything can be counted. */
static void
put_dummy_counters(const struct experiment *e, const struct study_case *one, json_t *entry)
{
	json_t *counters = json_object(), *ratios = json_object(), *missing = json_object();
	json_t *values = json_object(), *made = json_object();
	size_t i;

	for (i = 0; i < e->counters.count; i++) {
		json_object_set_new(values, e->counters.items[i], json_real(1e6));
		json_object_set_new(missing, e->counters.items[i], json_string(""));
	}
	for (i = 0; counter_ratio_names[i] != NULL; i++)
		json_object_set_new(made, counter_ratio_names[i], json_real(0.5));
	for (i = 0; e->counters.count > 0 && i < one->treatment_count; i++) {
		json_object_set(counters, one->treatments[i].name, values);
		json_object_set(ratios, one->treatments[i].name, made);
	}
	json_decref(values);
	json_decref(made);
	json_object_set_new(entry, "counters", counters);
	json_object_set_new(entry, "ratios", ratios);
	json_object_set_new(entry, "uncounted", missing);
}

/* As if each run had told all that its tool can tell. */
static json_t *
dummy_diagnosis(const char *tool)
{
	json_t *view = diagnosis_view(tool), *value;
	const char *name;

	json_object_foreach(view, name, value)
		json_object_set_new(view, name, json_real(1.5));
	json_object_set_new(view, "state", json_string("done"));
	json_object_set_new(view, "reason", json_string(""));
	json_object_set_new(view, "summary", json_string("f takes 90 %"));
	json_object_set_new(view, "version", json_string("tool 1.0"));
	json_object_set_new(view, "hottest", json_string("f"));
	return view;
}

static void
put_dummy_diagnoses(const struct experiment *e, const struct study_case *one, json_t *entry)
{
	const struct diagnosis *asked = &e->diagnosis;
	json_t *runs = json_object();
	size_t c, i, k;

	for (c = 0; c < asked->cases.count; c++)
		for (i = 0; strcmp(asked->cases.items[c], one->case_id) == 0 && i < asked->tools.count; i++)
			for (k = 0; k < asked->treatments.count; k++) {
				char *key = diagnosis_key(asked->tools.items[i], asked->treatments.items[k]);

				json_object_set_new(runs, key, dummy_diagnosis(asked->tools.items[i]));
				free(key);
			}
	json_object_set_new(entry, "diagnoses", runs);
}

static json_t *
dummy_metrics(const struct experiment *e, const struct study_case *one)
{
	json_t *metrics = json_object();
	size_t i;

	for (i = 0; i < e->metric_count; i++)
		json_object_set_new(metrics, e->metrics[i].name,
				    json_pack("{s:o, s:o}", "variants",
					      dummy_variants(e, one, e->metrics[i].unit), "comparisons",
					      dummy_comparisons(e, one)));
	return metrics;
}

/* Any may be told, or not. */
static json_t *
dummy_warnings(void)
{
	return json_pack("{s:{s:b, s:s, s:s, s:f, s:f}}", "*", "told", 1, "text", "what was seen", "advice",
			 "what to do", "value", 0.1, "severity", 0.5);
}

static json_t *
dummy_search(const struct experiment *e, const struct study_case *one)
{
	const struct treatment *chosen = &one->treatments[e->search.candidates[0]];
	char *label = study_search_label(&e->search);
	json_t *candidates = json_object(), *search;
	size_t i;

	for (i = 0; i < e->search.candidate_count; i++)
		json_object_set_new(candidates, one->treatments[e->search.candidates[i]].name, json_real(1.2));
	search = json_pack("{s:s, s:s, s:s, s:f, s:i, s:o, s:o, s:o}", "label", label, "chosen", chosen->name,
			   "against", one->treatments[e->search.against].name, "flattered_percent", 1.5,
			   "blocks", study_search_pairs(&e->search, e->design.pairs), "candidates", candidates,
			   "searched", dummy_comparison(e), "confirmed", dummy_comparison(e));
	free(label);
	return search;
}

static json_t *
dummy_effect(void)
{
	return json_pack("{s:s, s:f, s:f, s:f}", "effect", "sensitive", "factor", 2.5, "factor_lo", 2.4,
			 "factor_hi", 2.6);
}

/* Of each kernel that is perturbed in the experiment. */
static json_t *
dummy_watermarks(const struct study_case *one)
{
	json_t *watermarks = json_object();
	size_t i;

	for (i = 0; i < one->treatment_count; i++)
		if (watermark_perturbs(one, i))
			json_object_set_new(watermarks, one->treatments[i].name,
				json_pack("{s:s, s:s, s:s, s:b, s:f, s:o, s:o, s:o, s:o}", "resource", "latency", "why",
					  "it waits", "sentence", "kernel is bound by latency", "agrees", 0,
					  "bandwidth_share", 0.25, "arithmetic_added", dummy_effect(),
					  "arithmetic_removed", dummy_effect(), "one_element", dummy_effect(),
					  "sync_removed", dummy_effect()));
	return watermarks;
}

static bool
has_items(const struct experiment *e)
{
	return strcmp(e->reader, "google-benchmark") == 0;
}

static json_t *
dummy_item(const struct experiment *e, const struct study_case *one)
{
	json_t *point = json_object(), *item;
	size_t i;

	for (i = 0; i < one->point.count; i++)
		json_object_set(point, one->point.items[i].name, one->point.items[i].value);
	item = json_pack("{s:s, s:o, s:i, s:i, s:f, s:b, s:s, s:f, s:o, s:o, s:o, s:o, s:o}", "case_id", one->case_id,
			 "point", point, "pairs", e->design.pairs, "groups", 2 * e->design.pairs,
			 "noise_floor_percent", 0.6, "exploratory", 0, "verdict", "faster",
			 "aa_median_abs_difference_percent", 0.4, "variants", dummy_variants(e, one, e->metrics[0].unit),
			 "comparisons", dummy_comparisons(e, one), "rooflines", dummy_rooflines(one), "metrics",
			 dummy_metrics(e, one), "warnings", dummy_warnings());
	json_object_set_new(item, "watermarks", dummy_watermarks(one));
	if (e->search.name != NULL)
		json_object_set_new(item, "search", dummy_search(e, one));
	put_dummy_counters(e, one, item);
	put_dummy_diagnoses(e, one, item);
	return item;
}

/* The items of a benchmark binary are known when it runs: any name will do, and only an item has
 * what is compared. */
static json_t *
dummy_case(const struct experiment *e, const struct study_case *one)
{
	json_t *entry = dummy_item(e, one);

	json_object_set_new(entry, "scaling", scalings_dummy(e, one));
	json_object_set_new(entry, "items", json_pack("{s:o}", "*", dummy_item(e, one)));
	if (has_items(e)) {
		json_object_set_new(entry, "variants", json_null());
		json_object_set_new(entry, "comparisons", json_null());
		json_object_set_new(entry, "metrics", json_null());
		if (e->search.name != NULL)
			json_object_set_new(entry, "search", json_null());
		json_object_set_new(entry, "verdict", json_null());
		json_object_set_new(entry, "noise_floor_percent", json_null());
	}
	return entry;
}

json_t *
prose_dummy(const struct study *study, const struct experiment *experiment)
{
	json_t *cases = json_array();
	size_t i;

	for (i = 0; i < experiment->case_count; i++)
		json_array_append_new(cases, dummy_case(experiment, &experiment->cases[i]));
	return json_pack("{s:o, s:o, s:o}", "study", dummy_study(study), "experiment",
			 dummy_experiment(experiment), "cases", cases);
}

static int
check_label(struct host *host, const struct experiment *e, const struct prose *prose,
	    struct error *error)
{
	const char **labels = arena_alloc(host->arena, e->figure_count + 1, sizeof *labels);
	struct buffer hint = BUFFER_EMPTY;
	size_t i;

	for (i = 0; i < e->figure_count; i++) {
		labels[i] = e->figures[i].label;
		if (strcmp(labels[i], prose->text) == 0)
			return 0;
	}
	suggest_append(&hint, prose->text, labels, e->figure_count);
	error_set_at(error, EXIT_BAD_INPUT, prose->place.file, prose->place.line,
		     "the text shows figure:%.100s, which is not in the experiment's figures%s",
		     prose->text, buffer_text(&hint));
	buffer_free(&hint);
	return -1;
}

/* Of made-up results nothing is unavailable, but what only an item has. */
static int
eval_dummy(struct host *host, const struct experiment *e, const struct prose *prose,
	   const json_t *results, struct buffer *text, struct error *error)
{
	int status = host_eval(host, e, &prose->place, prose->text, results, text, error);

	if (status <= 0)
		return status;
	return error_set_at(error, EXIT_BAD_INPUT, prose->place.file, prose->place.line,
			    "this is told of each item: write at{ … }:item(\"name\") in front, as in "
			    "at():item(\"BM_x\"):compare(\"b\", \"a\").speedup");
}

static int
check_experiment(struct host *host, const struct experiment *e, struct error *error)
{
	json_t *results = prose_dummy(&host->study, e);
	struct buffer text = BUFFER_EMPTY;
	int status = 0;
	size_t i;

	for (i = 0; i < e->prose_count && status == 0; i++) {
		const struct prose *prose = &e->prose[i];

		if (prose->kind == PROSE_EXPRESSION)
			status = eval_dummy(host, e, prose, results, &text, error);
		else if (prose->kind == PROSE_FIGURE)
			status = check_label(host, e, prose, error);
		buffer_clear(&text);
	}
	buffer_free(&text);
	json_decref(results);
	return status < 0 ? -1 : 0;
}

int
prose_check(struct host *host, struct error *error)
{
	size_t i;

	for (i = 0; i < host->study.experiment_count; i++)
		if (host->study.experiments[i].prose_count > 0 &&
		    check_experiment(host, &host->study.experiments[i], error) != 0)
			return -1;
	return 0;
}

#include "spec/study_json.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "spec/claims.h"

static json_t *
text_or_null(const char *text)
{
	return text != NULL ? json_string(text) : json_null();
}

static json_t *
texts_json(const struct texts *texts)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < texts->count; i++)
		json_array_append_new(list, json_string(texts->items[i]));
	return list;
}

static json_t *
metrics_json(const struct experiment *e)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < e->metric_count; i++) {
		const struct metric *m = &e->metrics[i];

		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", m->name, "unit",
						      m->unit, "scope", m->scope, "better",
						      m->lower_is_better ? "lower" : "higher", "per",
						      text_or_null(m->per)));
	}
	return list;
}

static const char *
stop_name(enum stop_kind stop)
{
	return stop == STOP_FIXED ? "fixed" : stop == STOP_UNTIL_CI ? "until_ci" : "looks";
}

static json_t *
design_json(const struct design *d)
{
	json_t *design = json_pack("{s:i, s:i, s:i, s:i, s:i, s:f, s:I, s:i, s:I}", "pairs", d->pairs,
				   "aa_pairs", d->aa_pairs, "warmups", d->warmups, "samples", d->samples,
				   "warmup_samples", d->warmup_samples, "timeout_s", d->timeout_s, "seed",
				   (json_int_t)d->seed, "max_failures", d->max_failures,
				   "output_limit_bytes", (json_int_t)d->output_limit_bytes);
	json_t *rest = json_pack("{s:s, s:s, s:s, s:s, s:f, s:i, s:f, s:i, s:f, s:f}", "order",
				 d->alternate ? "alternate" : "balanced", "aa_placement",
				 d->aa_first ? "first" : "strata", "stop", stop_name(d->stop), "collapse",
				 d->trimmed_mean ? "trimmed_mean" : "median", "until_ci", d->until_ci,
				 "max_pairs", d->max_pairs, "budget_s", d->budget_s, "looks", d->looks,
				 "margin", d->margin, "effect", d->effect);

	json_object_update(design, rest);
	json_decref(rest);
	return design;
}

static json_t *
sweep_json(const struct experiment *e)
{
	json_t *list = json_array();
	size_t i, k;

	for (i = 0; i < e->sweep_count; i++) {
		json_t *values = json_array();

		for (k = 0; k < e->sweep[i].count; k++)
			json_array_append(values, e->sweep[i].values[k].value);
		json_array_append_new(list, json_pack("{s:s, s:o, s:b}", "name", e->sweep[i].name, "values",
						      values, "blocked", e->sweep[i].blocked));
	}
	return list;
}

static json_t *
point_json(const struct point *point)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < point->count; i++)
		json_object_set(object, point->items[i].name, point->items[i].value);
	return object;
}

static json_t *
treatments_json(const struct experiment *e)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; e->case_count > 0 && i < e->cases[0].treatment_count; i++) {
		const struct treatment *one = &e->cases[0].treatments[i];
		json_t *object = json_pack("{s:I, s:s, s:s}", "index", (json_int_t)i, "name", one->name,
					   "variant", one->variant);

		if (one->blocked.count > 0)
			json_object_set_new(object, "blocked", point_json(&one->blocked));
		if (one->perturbs != NULL)
			json_object_update_new(object, json_pack("{s:s, s:s}", "perturbs", one->perturbs,
								 "perturbation", one->perturbation));
		if (one->needs.skipped != NULL)
			json_object_set_new(object, "skipped", json_string(one->needs.skipped));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *
comparisons_json(const struct experiment *e)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < e->comparison_count; i++)
		json_array_append_new(list, json_pack("{s:I, s:I}", "a", (json_int_t)e->comparisons[i].a, "b",
						      (json_int_t)e->comparisons[i].b));
	return list;
}

/* One a treatment that declares it. */
static json_t *
working_sets_json(const struct study_case *one)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < one->treatment_count; i++)
		if (one->treatments[i].working_set > 0)
			json_array_append_new(list, json_pack("{s:I, s:f}", "treatment", (json_int_t)i, "bytes",
							      one->treatments[i].working_set));
	return list;
}

static json_t *
scaling_json(const struct scaling *scaling)
{
	json_t *serial = json_array(), *list = json_array();
	size_t i, k;

	for (i = 0; i < scaling->serial_count; i++)
		json_array_append_new(serial, json_integer((json_int_t)scaling->serial[i]));
	for (i = 0; i < scaling->series_count; i++) {
		const struct scaling_series *one = &scaling->series[i];
		json_t *points = json_array();

		for (k = 0; k < one->count; k++)
			json_array_append_new(points, json_pack("{s:I, s:I}", "treatment",
								(json_int_t)one->treatments[k], "processors",
								(json_int_t)one->processors[k]));
		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o}", "name", one->name, "variant",
						      one->variant, "kind", one->weak ? "weak" : "strong",
						      "points", points));
	}
	return json_pack("{s:s, s:o, s:o}", "over", scaling->over, "serial", serial, "series", list);
}

static json_t *
roof_json(const struct roof *roof)
{
	return roof->case_id == NULL ? json_null()
				     : json_pack("{s:s, s:I, s:s}", "case_id", roof->case_id, "treatment",
						 (json_int_t)roof->treatment, "name", roof->name);
}

/* One a treatment that declares its work. */
static json_t *
work_json(const struct study_case *one)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < one->treatment_count; i++) {
		const struct treatment *t = &one->treatments[i];

		if (t->work.declared)
			json_array_append_new(list, json_pack("{s:I, s:f, s:f, s:o, s:o}", "treatment",
							      (json_int_t)i, "flops", t->work.flops, "bytes",
							      t->work.bytes, "peak", roof_json(&t->peak),
							      "bandwidth", roof_json(&t->bandwidth)));
	}
	return list;
}

static json_t *
cases_json(const struct experiment *e)
{
	json_t *list = json_array(), *one, *work, *sets;
	size_t i;

	for (i = 0; i < e->case_count; i++) {
		char *text = study_point_text(&e->cases[i].point);

		one = json_pack("{s:s, s:o, s:s}", "case_id", e->cases[i].case_id, "point",
				point_json(&e->cases[i].point), "point_text", text);
		if (e->cases[i].derived.count > 0)
			json_object_set_new(one, "derived", point_json(&e->cases[i].derived));
		sets = working_sets_json(&e->cases[i]);
		if (json_array_size(sets) > 0)
			json_object_set(one, "working_sets", sets);
		json_decref(sets);
		work = work_json(&e->cases[i]);
		if (json_array_size(work) > 0)
			json_object_set(one, "work", work);
		json_decref(work);
		json_array_append_new(list, one);
		free(text);
	}
	return list;
}

static json_t *
number_or_null(double number)
{
	return number > 0 ? json_real(number) : json_null();
}

static json_t *
claim_json(const struct experiment *e, const struct claim *claim, int number)
{
	json_t *cases = json_array();
	char id[24], *text = claim_text(claim);
	json_t *object;
	size_t i;

	for (i = 0; i < e->case_count; i++)
		if (claim_covers(claim, &e->cases[i]))
			json_array_append_new(cases, json_string(e->cases[i].case_id));
	snprintf(id, sizeof id, "C%d", number);
	object = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:o, s:s, s:i}", "id", id, "kind",
			   claim_kind_name(claim->kind), "b", claim->b, "a", claim->a, "by",
			   number_or_null(claim->by), "within", number_or_null(claim->within), "item",
			   text_or_null(claim->item), "text", text, "cases", cases, "file", claim->place.file, "line", claim->place.line);
	free(text);
	return object;
}

static json_t *
claims_json(const struct experiment *e, int *number)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < e->claim_count; i++)
		json_array_append_new(list, claim_json(e, &e->claims[i], ++*number));
	return list;
}

static json_t *
figures_json(const struct experiment *e)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < e->figure_count; i++)
		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:O}", "name", e->figures[i].name,
						      "label", e->figures[i].label, "caption",
						      e->figures[i].caption, "options",
						      e->figures[i].options));
	return list;
}

static json_t *
prose_json(const struct experiment *e)
{
	static const char *const kinds[] = {"markdown", "expression", "figure"};
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < e->prose_count; i++) {
		const struct prose *p = &e->prose[i];

		json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:i}", "kind", kinds[p->kind],
						      "text", p->text, "caption",
						      p->caption != NULL ? p->caption : "", "file",
						      p->place.file, "line", p->place.line));
	}
	return list;
}

/* What the report needs of it; the rest is in the plans and in what they come to. */
static json_t *
group_report_json(const struct experiment *e)
{
	const char *metric = e->group_report.metric != NULL ? e->group_report.metric : e->metrics[0].name;

	return json_pack("{s:s}", "metric", metric);
}

static json_t *
search_json(const struct experiment *e)
{
	const struct treatment *treatments = e->cases[0].treatments;
	char *label = study_search_label(&e->search);
	json_t *candidates = json_array(), *object;
	size_t i;

	for (i = 0; i < e->search.candidate_count; i++)
		json_array_append_new(candidates, json_string(treatments[e->search.candidates[i]].name));
	object = json_pack("{s:s, s:s, s:f, s:i, s:s, s:o}", "name", e->search.name, "label", label, "share",
			   e->search.share, "pairs", study_search_pairs(&e->search, e->design.pairs),
			   "against", treatments[e->search.against].name, "candidates", candidates);
	free(label);
	return object;
}

static json_t *
experiment_json(const struct experiment *e, int *claim_number)
{
	json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:i, s:s, s:s}", "name", e->name, "title", e->title,
				   "question", e->question, "source", e->place.file, "line", e->place.line,
				   "cpus", e->cpus, "reader", e->reader);

	if (e->form != NULL)
		json_object_set_new(object, "about", json_string(e->about));
	if (e->diagnosis.tools.count > 0)
		json_object_set_new(object, "diagnose",
				    json_pack("{s:o, s:o, s:o, s:f}", "tools", texts_json(&e->diagnosis.tools),
					      "cases", texts_json(&e->diagnosis.cases), "treatments",
					      texts_json(&e->diagnosis.treatments), "timeout_s",
					      e->diagnosis.timeout_s));
	if (e->counters.count > 0)
		json_object_set_new(object, "counters", texts_json(&e->counters));
	if (e->group_report.wanted)
		json_object_set_new(object, "group_report", group_report_json(e));
	if (e->scaling.wanted)
		json_object_set_new(object, "scaling", scaling_json(&e->scaling));
	if (e->search.name != NULL)
		json_object_set_new(object, "search", search_json(e));
	if (e->roofline.peak != NULL)
		json_object_set_new(object, "roofline", json_pack("{s:s, s:s}", "peak", e->roofline.peak,
								  "bandwidth", e->roofline.bandwidth));
	json_object_set_new(object, "metrics", metrics_json(e));
	json_object_set_new(object, "design", design_json(&e->design));
	json_object_set_new(object, "sweep", sweep_json(e));
	json_object_set_new(object, "treatments", treatments_json(e));
	json_object_set_new(object, "comparisons", comparisons_json(e));
	json_object_set_new(object, "cases", cases_json(e));
	json_object_set_new(object, "claims", claims_json(e, claim_number));
	json_object_set_new(object, "figures", figures_json(e));
	json_object_set_new(object, "prose", prose_json(e));
	return object;
}

static json_t *
forms_json(const struct study *study)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < study->experiment_count; i++)
		if (study->experiments[i].form != NULL)
			json_array_append_new(list, json_string(study->experiments[i].name));
	return list;
}

static bool
belongs(const struct experiment *experiment, const char *form)
{
	return form == NULL ? experiment->form == NULL : strcmp(experiment->name, form) == 0;
}

json_t *
study_json(const struct study *study, const char *form)
{
	json_t *experiments = json_array();
	int claim_number = 0;
	size_t i;

	for (i = 0; i < study->experiment_count; i++)
		if (belongs(&study->experiments[i], form))
			json_array_append_new(experiments,
					      experiment_json(&study->experiments[i], &claim_number));
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "format", "assay-study-1", "name",
			 study->name, "title", study->title, "machine", study->machine, "entry",
			 study->lua_files.count > 0 ? study->lua_files.items[0] : "", "private",
			 texts_json(&study->private_paths), "specs", texts_json(&study->lua_files),
			 "forms", form == NULL ? forms_json(study) : json_array(), "experiments",
			 experiments);
}

int
study_json_write(const struct study *study, const char *path, struct error *error)
{
	json_t *document = study_json(study, NULL);
	int status = json_write_file(path, document, FILE_IF_CHANGED, error);

	json_decref(document);
	return status;
}

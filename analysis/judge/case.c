#include "analysis/judge/case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe.h"
#include "analysis/judge/background.h"
#include "analysis/judge/case_items.h"
#include "analysis/judge/comparison.h"
#include "analysis/judge/correct.h"
#include "analysis/judge/group_document.h"
#include "analysis/judge/lowered.h"
#include "analysis/judge/multiple.h"
#include "analysis/judge/search_document.h"
#include "analysis/judge/stop.h"
#include "analysis/judge/treatment.h"
#include "analysis/judge/warnings.h"
#include "analysis/judge/work_done.h"
#include "base/json.h"
#include "base/memory.h"
#include "schedule/growth.h"

static size_t
count_phase(const struct observations *all, enum observation_phase phase)
{
	size_t i, n = 0;

	for (i = 0; i < all->count; i++)
		n += all->items[i].phase == phase && observation_starts_group(all, i);
	return n;
}

/* The first group of its block; not always slot 1, whose treatment may be skipped. */
static bool
is_pair_start(const struct observations *all, size_t index)
{
	const struct observation *one = &all->items[index], *before = index > 0 ? one - 1 : NULL;

	return one->used && one->phase == OBSERVED_AB && observation_starts_group(all, index) &&
	       (before == NULL || !before->used || before->block != one->block ||
		before->session != one->session);
}

int
case_complete_pairs(const struct observations *all)
{
	size_t i;
	int n = 0;

	for (i = 0; i < all->count; i++)
		n += is_pair_start(all, i);
	return n;
}

int
case_session_pairs(const struct observations *all, int session)
{
	size_t i;
	int n = 0;

	for (i = 0; i < all->count; i++)
		n += all->items[i].session == session && is_pair_start(all, i);
	return n;
}

/* A block is valid when every group in it ran well. What of its items failed is said elsewhere: a
 * group's first observation tells of the group. */
static int
valid_pairs(const struct observations *all)
{
	size_t i, j;
	int n = 0;

	for (i = 0; i < all->count; i++) {
		const struct observation *first = &all->items[i];
		bool ok = is_pair_start(all, i);

		for (j = i; ok && j < all->count && all->items[j].block == first->block &&
			    all->items[j].session == first->session;
		     j++)
			ok = all->items[j].ok || !observation_starts_group(all, j);
		n += ok;
	}
	return n;
}

/* A failed group stands until its block was run again; without any pair each one tells why. */
static bool
stands(const struct observation *one, int valid)
{
	return !one->ok && (one->used || valid == 0);
}

static json_t *
groups_document(const struct case_input *input)
{
	const struct observations *all = input->observations;
	const struct design *design = &input->plan->design;
	size_t i, failed = 0, standing = 0, total = 0;
	int treatments = (int)plan_measured(input->plan, NULL);
	int valid = valid_pairs(all);

	for (i = 0; i < all->count; i++) {
		if (!observation_starts_group(all, i))
			continue;
		total++;
		failed += !all->items[i].ok;
		standing += stands(&all->items[i], valid);
	}
	return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "planned",
			 treatments == 0 ? 0 : treatments * design->warmups + 2 * design->aa_pairs +
						       treatments * growth_pairs(input->plan),
			 "complete", (int)total, "failed", (int)failed, "standing", (int)standing,
			 "orphans", input->orphans, "warmup",
			 (int)count_phase(all, OBSERVED_WARMUP), "aa",
			 (int)count_phase(all, OBSERVED_AA), "ab",
			 (int)count_phase(all, OBSERVED_AB));
}

static json_t *
failures_document(const struct observations *all)
{
	static const char *const phases[] = {"warmup", "aa", "ab"};
	json_t *list = json_array();
	int valid = valid_pairs(all);
	size_t i;

	for (i = 0; i < all->count; i++) {
		const struct observation *one = &all->items[i];

		if (observation_starts_group(all, i) && !one->ok)
			json_array_append_new(
				list, json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:b}", "run_id",
						one->run_id, "treatment", one->treatment, "name",
						one->variant, "phase", phases[one->phase], "status",
						one->status, "reason", one->reason, "standing",
						stands(one, valid)));
	}
	return list;
}

/* ---- the A/A control ---- */

static json_t *
aa_document(const struct pair_set *aa)
{
	json_t *differences = json_array(), *d = json_array(), *orders = json_array(), *pairs = json_array();
	double *absolute = memory_zeroed(aa->count, sizeof *absolute);
	double median = NAN;
	size_t i;

	for (i = 0; i < aa->count; i++) {
		bool a_first = aa->orders[i] == PAIR_AB;
		double first = a_first ? aa->a[i] : aa->b[i], second = a_first ? aa->b[i] : aa->a[i];
		double relative = first > 0 ? (second - first) / first : NAN;

		absolute[i] = fabs(relative);
		json_array_append_new(differences, json_number_or_null(relative));
		json_array_append_new(d, json_number_or_null(pairs_log(second, first)));
		json_array_append_new(orders, json_string(a_first ? "AB" : "BA"));
		json_array_append_new(pairs, json_integer(aa->pairs[i]));
	}
	describe_median(absolute, aa->count, &median);
	free(absolute);
	return json_pack("{s:i, s:o, s:o, s:{s:o, s:o, s:o}}", "pairs", (int)aa->count, "differences",
			 differences, "median_abs_difference", json_number_or_null(median), "bias", "d", d,
			 "orders", orders, "pairs", pairs);
}

/* ---- per metric ---- */

struct case_options
case_options_declared(const struct plan *plan)
{
	return (struct case_options){.collapse = collapse_declared(&plan->design)};
}

static double
comparison_confidence(const struct case_input *input, const struct case_options *options)
{
	if (options->confidence > 0)
		return options->confidence;
	return stop_confidence(input->plan, input->looks, case_complete_pairs(input->observations));
}

/* What the documents of one metric are made from. */
struct metric_scene {
	const struct case_input *input;
	const struct case_options *options;
	const struct setting *metric;
	const json_t *items; /* of the case */
	int column, complete; /* complete pairs of the case */
	double confidence;
	const char *invalid_reason;
};

static char *
why_skipped(const struct plan *plan, const struct comparison *which)
{
	const struct plan_treatment *a = &plan->treatments[which->a], *b = &plan->treatments[which->b];
	const struct plan_treatment *lacking = b->skipped != NULL ? b : a;

	return lacking->skipped != NULL
		       ? memory_format("%s was skipped: %s", lacking->name, lacking->skipped) : NULL;
}

/* Why the two cannot be compared in the item, or NULL; the caller frees. */
static char *
why_absent(const struct metric_scene *scene, const char *item, const struct comparison *which,
	   const struct pair_set *set)
{
	char *reason = why_skipped(scene->input->plan, which);

	if (reason == NULL)
		reason = lowered_apart(scene->input->plan, scene->input->observations, which,
				       scene->metric->name);
	if (reason != NULL)
		return reason;
	if (item == NULL || item[0] == '\0')
		return NULL;
	reason = case_items_absent(scene->input->plan, scene->items, item, which);
	if (reason == NULL && 2 * set->count < (size_t)scene->complete)
		reason = memory_format("only %zu of %d pairs have %s of it in both", set->count,
				       scene->complete, scene->metric->name);
	return reason;
}

/* Of an item's comparisons; `which` and `absent` are a comparison's own. */
static struct comparison_context
item_context(const struct metric_scene *scene, const char *item, const struct pair_set *aa)
{
	return (struct comparison_context){
		.plan = scene->input->plan, .metric = scene->metric->name,
		.point_text = scene->input->point_text, .item = item != NULL ? item : "",
		.lower_is_better = strcmp(scene->metric->value, "higher") != 0, .aa = aa,
		.confidence = scene->confidence,
		.invalid_reason = scene->invalid_reason,
	};
}

static json_t *
item_comparison(const struct metric_scene *scene, const char *item, const struct comparison *which,
		const struct pair_set *aa)
{
	struct comparison_context context = item_context(scene, item, aa);
	struct pair_set set;
	char *absent;
	json_t *document;

	context.which = which;
	pair_set_collect(scene->input->observations, (int)which->a, (int)which->b, false, item,
			 scene->column, scene->options->collapse, &set);
	absent = why_absent(scene, item, which, &set);
	context.absent = absent;
	document = comparison_document(&context, &set);
	free(absent);
	pair_set_free(&set);
	return document;
}

/* The best of the candidates, by the primary metric. */
static void
put_search(const struct metric_scene *scene, const char *item, const struct pair_set *aa, json_t *document)
{
	const struct plan *plan = scene->input->plan;
	struct comparison_context context = item_context(scene, item, aa);
	struct search_input input = {&context, scene->input->observations, item, scene->column,
				     scene->options->collapse};

	if (plan->search.name != NULL && strcmp(scene->metric->name, plan->primary) == 0)
		json_object_set_new(document, "search", search_document(&input));
}

/* `item` NULL: the values are the process's. */
static json_t *
item_document(const struct metric_scene *scene, const char *item)
{
	const struct plan *plan = scene->input->plan;
	json_t *treatments = json_array(), *comparisons = json_array(), *document;
	struct pair_set aa;
	size_t i;

	pair_set_collect(scene->input->observations, plan_baseline(plan), (int)plan->treatment_count, true,
			 item, scene->column, scene->options->collapse, &aa);
	for (i = 0; i < plan->treatment_count; i++)
		json_array_append_new(treatments, treatment_document(scene->input, scene->options, i, item,
								     scene->column));
	for (i = 0; i < plan->comparison_count; i++)
		json_array_append_new(comparisons,
				      item_comparison(scene, item, &plan->comparisons[i], &aa));
	document = json_pack("{s:s, s:o, s:o, s:o}", "item", item != NULL ? item : "", "treatments",
			     treatments, "aa", aa_document(&aa), "comparisons", comparisons);
	put_search(scene, item, &aa, document);
	pair_set_free(&aa);
	return document;
}

/* Values that a group has once, whatever its items: docs/formats.md. */
static bool
is_of_process(const char *metric)
{
	return strncmp(metric, "process_", 8) == 0 || strcmp(metric, "max_rss_kib") == 0 ||
	       strcmp(metric, "voluntary_switches") == 0 || strcmp(metric, "involuntary_switches") == 0;
}

/* Does anybody have a value of the metric here? Not each item need have each counter. */
static bool
has_values(const json_t *item_document)
{
	const json_t *treatment;
	size_t i;

	json_array_foreach(json_object_get(item_document, "treatments"), i, treatment)
		if (json_get_integer(treatment, "groups", 0) > 0)
			return true;
	return false;
}

static json_t *
items_document(const struct metric_scene *scene)
{
	const struct observations *all = scene->input->observations;
	json_t *items = json_array(), *one;
	size_t i;

	if (is_of_process(scene->metric->name)) {
		json_array_append_new(items, item_document(scene, NULL));
		return items;
	}
	for (i = 0; i < all->name_count; i++) {
		one = item_document(scene, all->names[i]);
		if (all->name_count == 1 || has_values(one))
			json_array_append(items, one);
		json_decref(one);
	}
	if (json_array_size(items) == 0)
		json_array_append_new(items, item_document(scene, ""));
	return items;
}

static json_t *
metric_document(const struct case_input *input, const struct case_options *options,
		const struct setting *metric, const json_t *case_items, const char *invalid_reason)
{
	struct metric_scene scene = {
		input, options, metric, case_items,
		csv_table_column(&input->observations->table, metric->name),
		case_complete_pairs(input->observations), comparison_confidence(input, options),
		invalid_reason,
	};
	json_t *document = json_pack("{s:s, s:s, s:o}", "name", metric->name, "better", metric->value,
				     "items", items_document(&scene));

	multiple_adjust(document, input->point_text);
	return document;
}

static json_t *
metrics_document(const struct case_input *input, const struct case_options *options,
		 const json_t *case_items, const char *invalid_reason)
{
	const struct settings *metrics = &input->plan->metrics;
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < metrics->count; i++) {
		bool primary = strcmp(metrics->items[i].name, input->plan->primary) == 0;

		json_array_insert_new(list, primary ? 0 : json_array_size(list),
				      metric_document(input, options, &metrics->items[i], case_items,
						      invalid_reason));
	}
	return list;
}

/* ---- may any number be printed? ---- */

static char *
invalid_reason(const struct case_input *input, const struct correctness *correctness)
{
	int complete = case_complete_pairs(input->observations), valid = valid_pairs(input->observations);

	if (correctness->disagree)
		return memory_format("outputs disagree: %s", correctness->detail);
	if (input->regime_problem != NULL)
		return memory_copy_text(input->regime_problem);
	if (plan_measured(input->plan, NULL) == 0)
		return NULL; /* everything is skipped, which is told of each */
	if (complete == 0)
		return memory_copy_text("nothing was measured");
	if (2 * valid < complete || valid == 0)
		return memory_format("only %d of %d pairs are valid", valid, complete);
	return NULL;
}

/* The declared rule, and how the last session that counts came to its end. */
static json_t *
stop_document(const struct case_input *input)
{
	char *rule = growth_rule(&input->plan->design);
	const char *how = "";
	const json_t *session;
	json_t *document;
	size_t i;

	json_array_foreach((json_t *)input->sessions, i, session)
		if (!json_is_true(json_object_get(session, "invalid")))
			how = json_get_text(session, "how");
	document = json_pack("{s:s, s:s, s:i}", "rule", rule, "how", how, "most_pairs",
			     growth_most_pairs(input->plan));
	free(rule);
	return document;
}

/* Where the experiment asks for it, and any number may be printed. */
static void
put_group_report(const struct case_input *input, json_t *document)
{
	struct group_document_options options = group_document_declared(input->plan);
	const json_t *metric, *item;
	size_t i;

	json_array_foreach(json_object_get(document, "metrics"), i, metric) {
		item = json_array_get(json_object_get(metric, "items"), 0);
		if (i == 0 || strcmp(json_get_text(metric, "name"), options.metric) == 0)
			options.comparisons = json_object_get(item, "comparisons");
	}
	options.point_text = input->point_text;
	json_object_set_new(document, "group_report",
			    group_document(input->plan, input->observations, &options));
}

static json_t *
skipped_document(const struct plan *plan)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < plan->treatment_count; i++)
		if (plan->treatments[i].skipped != NULL)
			json_array_append_new(list, json_pack("{s:i, s:s, s:s}", "treatment", (int)i, "name",
							      plan->treatments[i].name, "reason",
							      plan->treatments[i].skipped));
	return list;
}

static void
set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, json_string(text));
}

json_t *
case_document(const struct case_input *input, const struct case_options *options)
{
	const struct plan *plan = input->plan;
	struct correctness correctness;
	json_t *document = json_object();
	int pairs = case_complete_pairs(input->observations);
	char *growth = stop_exploratory(plan, input->looks, input->sessions, pairs), *reason;

	correctness_check(plan, input->observations, &correctness);
	reason = invalid_reason(input, &correctness);
	set_text(document, "format", "assay-stats-1");
	set_text(document, "case_id", plan->case_id);
	set_text(document, "experiment", plan->experiment);
	json_object_set(document, "point", plan->point);
	set_text(document, "point_text", input->point_text);
	set_text(document, "identity", input->identity);
	set_text(document, "primary", plan->primary);
	set_text(document, "collapse", collapse_name(options->collapse.kind));
	json_object_set_new(document, "groups", groups_document(input));
	json_object_set_new(document, "pairs",
			    json_pack("{s:i, s:i, s:i}", "planned", growth_pairs(plan), "complete", pairs,
				      "valid", valid_pairs(input->observations)));
	json_object_set_new(document, "failures", failures_document(input->observations));
	json_object_set(document, "sessions", (json_t *)input->sessions);
	json_object_set(document, "looks", (json_t *)input->looks);
	json_object_set(document, "identical_programs", (json_t *)input->identical);
	json_object_set_new(document, "skipped", skipped_document(plan));
	json_object_set_new(document, "lowered", lowered_document(plan, input->observations));
	json_object_set_new(document, "stop", stop_document(input));
	json_object_set_new(document, "exploratory", json_boolean(growth != NULL));
	set_text(document, "exploratory_reason", growth != NULL ? growth : "");
	json_object_set_new(document, "invalid", json_boolean(reason != NULL));
	set_text(document, "invalid_reason", reason != NULL ? reason : "");
	json_object_set_new(document, "correct",
			    json_pack("{s:s, s:s}", "status", correctness.status, "detail",
				      correctness.detail));
	json_object_set_new(document, "items", case_items(plan, input->observations));
	json_object_set_new(document, "metrics",
			    metrics_document(input, options, json_object_get(document, "items"), reason));
	if (input->counters != NULL && reason == NULL)
		json_object_set(document, "counters", (json_t *)input->counters);
	json_object_set_new(document, "work_done", work_done_document(input));
	if (plan->group_report.wanted && reason == NULL)
		put_group_report(input, document);
	background_judge(input, document);
	json_object_set_new(document, "warnings", case_warnings(input, options, document));
	correctness_free(&correctness);
	free(growth);
	free(reason);
	return document;
}

/* A plan as JSON. Its counterpart, which must know the same keys, is plan_decode.c. */

#include <limits.h>

#include "base/json.h"
#include "schedule/plan.h"

static void
put(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *
text_or_null(const char *text)
{
	return text != NULL ? json_string(text) : json_null();
}

static json_t *
text_list(const struct texts *texts)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < texts->count; i++)
		json_array_append_new(list, json_string(texts->items[i]));
	return list;
}

static json_t *
setting_object(const struct settings *settings)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < settings->count; i++)
		put(object, settings->items[i].name, json_string(settings->items[i].value));
	return object;
}

static json_t *
program_object(const struct plan_program *program)
{
	json_t *object = json_object();

	put(object, "path", json_string(program->path));
	put(object, "built", json_boolean(program->built));
	put(object, "by_inputs", json_boolean(program->by_inputs));
	put(object, "identity_inputs", text_list(&program->identity_inputs));
	put(object, "identity_command", json_string(program->identity_command));
	put(object, "scripts", text_list(&program->scripts));
	if (program->source != NULL) /* older plans have no such key */
		put(object, "source", json_string(program->source));
	return object;
}

static json_t *
treatment_object(const struct plan_treatment *treatment)
{
	json_t *object = json_object();

	put(object, "name", json_string(treatment->name));
	put(object, "variant", json_string(treatment->variant));
	if (treatment->blocked != NULL) /* older plans have no such key, and no "cpus" here */
		json_object_set(object, "blocked", treatment->blocked);
	if (treatment->cpus != NULL)
		put(object, "cpus", json_string(treatment->cpus));
	put(object, "program", program_object(&treatment->program));
	put(object, "args", text_list(&treatment->args));
	put(object, "env", setting_object(&treatment->env));
	put(object, "stdin_path", text_or_null(treatment->stdin_path));
	put(object, "cwd", text_or_null(treatment->cwd));
	put(object, "prepare", text_list(&treatment->prepare));
	put(object, "inputs", text_list(&treatment->inputs));
	put(object, "expect_mode", text_or_null(treatment->expect_mode));
	put(object, "expect_len", json_integer(treatment->expect_len));
	put(object, "expect_iters", json_integer(treatment->expect_iters));
	if (treatment->expect_flops > 0) /* older plans have no such key */
		put(object, "expect_flops", json_real(treatment->expect_flops));
	put(object, "lowers_scale", json_boolean(treatment->lowers_scale));
	put(object, "ignore_exit", json_boolean(treatment->ignore_exit));
	if (treatment->needs.count > 0) /* older plans have neither key */
		put(object, "needs", setting_object(&treatment->needs));
	if (treatment->skipped != NULL)
		put(object, "skipped", json_string(treatment->skipped));
	return object;
}

static json_t *
treatment_list(const struct plan *plan)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < plan->treatment_count; i++)
		json_array_append_new(list, treatment_object(&plan->treatments[i]));
	return list;
}

static json_t *
comparison_list(const struct plan *plan)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < plan->comparison_count; i++) {
		json_t *one = json_object();

		put(one, "a", json_integer((json_int_t)plan->comparisons[i].a));
		put(one, "b", json_integer((json_int_t)plan->comparisons[i].b));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *
check_object(const struct group_check *check)
{
	json_t *object = json_object(), *sets = json_array();
	size_t i;

	for (i = 0; i < check->among.count; i++)
		json_array_append_new(sets, text_list(&check->among.sets[i]));
	put(object, "equal", json_boolean(check->equal));
	put(object, "relative", json_real(check->relative));
	put(object, "stdout_sha256", json_boolean(check->stdout_sha256));
	put(object, "exit_code", json_integer(check->exit_code));
	put(object, "among", sets);
	return object;
}

static json_t *
chunk_list(const struct plan *plan)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < plan->chunk_count; i++) {
		json_t *one = json_object();

		put(one, "pairs", json_integer(plan->chunks[i].pairs));
		put(one, "aa_pairs", json_integer(plan->chunks[i].aa_pairs));
		put(one, "seed", json_integer((json_int_t)plan->chunks[i].seed));
		json_array_append_new(list, one);
	}
	return list;
}

static const char *
stop_name(enum stop_kind stop)
{
	return stop == STOP_UNTIL_CI ? "until_ci" : stop == STOP_LOOKS ? "looks" : "fixed";
}

json_t *
plan_design_json(const struct design *design)
{
	json_t *object = json_object();

	put(object, "pairs", json_integer(design->pairs));
	put(object, "aa_pairs", json_integer(design->aa_pairs));
	put(object, "warmups", json_integer(design->warmups));
	put(object, "samples", json_integer(design->samples));
	put(object, "warmup_samples", json_integer(design->warmup_samples));
	put(object, "timeout_s", json_real(design->timeout_s));
	put(object, "order", json_string(design->alternate ? "alternate" : "balanced"));
	put(object, "aa_placement", json_string(design->aa_first ? "first" : "strata"));
	put(object, "seed", json_integer((json_int_t)design->seed));
	put(object, "max_failures", json_integer(design->max_failures));
	put(object, "output_limit_bytes", json_integer(design->output_limit_bytes));
	put(object, "stop", json_string(stop_name(design->stop)));
	put(object, "until_ci", json_real(design->until_ci));
	put(object, "max_pairs", json_integer(design->max_pairs));
	put(object, "budget_s", json_real(design->budget_s));
	put(object, "looks", json_integer(design->looks));
	put(object, "collapse", json_string(design->trimmed_mean ? "trimmed_mean" : "median"));
	put(object, "margin", json_real(design->margin));
	put(object, "effect", json_real(design->effect));
	return object;
}

static json_t *
group_report_object(const struct group_report *report)
{
	json_t *object = json_object();

	put(object, "metric", text_or_null(report->metric));
	put(object, "statistic", json_string(report->statistic));
	put(object, "trim", json_real(report->trim));
	put(object, "tolerance", json_real(report->tolerance));
	put(object, "first_block", json_string(report->counts_first ? "counted" : "listed"));
	return object;
}

static json_t *
search_object(const struct best_search *search)
{
	json_t *object = json_object(), *candidates = json_array();
	size_t i;

	for (i = 0; i < search->candidate_count; i++)
		json_array_append_new(candidates, json_integer((json_int_t)search->candidates[i]));
	put(object, "name", json_string(search->name));
	put(object, "share", json_real(search->share));
	put(object, "against", json_integer((json_int_t)search->against));
	put(object, "candidates", candidates);
	return object;
}

json_t *
plan_json(const struct plan *plan)
{
	json_t *object = json_object();

	put(object, "format", json_string("assay-plan-1"));
	put(object, "case_id", json_string(plan->case_id));
	put(object, "experiment", json_string(plan->experiment));
	json_object_set(object, "point", plan->point);
	put(object, "treatments", treatment_list(plan));
	put(object, "comparisons", comparison_list(plan));
	put(object, "reader", json_string(plan->reader));
	put(object, "items", text_or_null(plan->items));
	put(object, "patterns", setting_object(&plan->patterns));
	put(object, "metrics", setting_object(&plan->metrics));
	if (plan->divided.count > 0) /* older plans have no such key */
		put(object, "divided", setting_object(&plan->divided));
	put(object, "primary", json_string(plan->primary));
	put(object, "check", check_object(&plan->check));
	if (plan->counters.count > 0)
		put(object, "counters", text_list(&plan->counters));
	put(object, "cpus", json_string(plan->cpus));
	put(object, "design", plan_design_json(&plan->design));
	if (plan->group_report.wanted) /* older plans have no such key */
		put(object, "group_report", group_report_object(&plan->group_report));
	if (plan->search.name != NULL) /* older plans have no such key */
		put(object, "search", search_object(&plan->search));
	put(object, "load_above", json_real(plan->load_above));
	put(object, "preempted_above", json_real(plan->preempted_above));
	put(object, "chunks", chunk_list(plan));
	return object;
}

int
plan_write(const char *path, const struct plan *plan, unsigned file_write_flags,
	   struct error *error)
{
	json_t *object = plan_json(plan);
	int result = json_write_file(path, object, file_write_flags, error);

	json_decref(object);
	return result;
}

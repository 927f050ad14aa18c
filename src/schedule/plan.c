#include "schedule/plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static char *
copy_or_null(const char *text)
{
	return text != NULL ? memory_copy_text(text) : NULL;
}

static char *
copy_or_empty(const char *text)
{
	return memory_copy_text(text != NULL ? text : "");
}

static struct texts
copy_texts(const struct texts *from)
{
	struct texts copy = {memory_zeroed(from->count, sizeof *copy.items), from->count};
	size_t i;

	for (i = 0; i < from->count; i++)
		copy.items[i] = memory_copy_text(from->items[i]);
	return copy;
}

static int
by_name(const void *left, const void *right)
{
	return strcmp(((const struct setting *)left)->name, ((const struct setting *)right)->name);
}

/* Sorted, since a plan written and read again must be the same list. */
static struct settings
copy_settings(const struct settings *from)
{
	struct settings copy = {memory_zeroed(from->count, sizeof *copy.items), from->count};
	size_t i;

	for (i = 0; i < from->count; i++) {
		copy.items[i].name = memory_copy_text(from->items[i].name);
		copy.items[i].value = memory_copy_text(from->items[i].value);
	}
	qsort(copy.items, copy.count, sizeof *copy.items, by_name);
	return copy;
}

static void
free_texts(struct texts *texts)
{
	size_t i;

	for (i = 0; i < texts->count; i++)
		free(texts->items[i]);
	free(texts->items);
}

static void
free_settings(struct settings *settings)
{
	size_t i;

	for (i = 0; i < settings->count; i++) {
		free(settings->items[i].name);
		free(settings->items[i].value);
	}
	free(settings->items);
}

static void
fill_program(const struct program *from, struct plan_program *to)
{
	to->path = memory_copy_text(from->path);
	to->built = from->built;
	to->by_inputs = from->identity == PROGRAM_BY_INPUTS;
	to->identity_inputs = copy_texts(&from->identity_inputs);
	to->identity_command = copy_or_empty(to->by_inputs ? from->identity_command : NULL);
	to->scripts = copy_texts(&from->scripts);
	to->source = copy_or_null(from->source);
}

static long long
expected(const json_t *cfg, size_t index)
{
	const json_t *value = json_array_get(cfg, index);

	return json_is_integer(value) ? (long long)json_integer_value(value) : -1;
}

static json_t *
point_object(const struct point *point)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < point->count; i++)
		json_object_set(object, point->items[i].name, point->items[i].value);
	return object;
}

static void
fill_treatment(const struct study *study, const struct treatment *from, struct plan_treatment *to)
{
	to->name = memory_copy_text(from->name);
	to->variant = memory_copy_text(from->variant);
	to->blocked = from->blocked.count > 0 ? point_object(&from->blocked) : NULL;
	fill_program(&study->programs[from->program], &to->program);
	to->args = copy_texts(&from->args);
	to->env = copy_settings(&from->env);
	to->stdin_path = copy_or_null(from->stdin_path);
	to->cwd = copy_or_null(from->cwd);
	to->cpus = copy_or_null(from->cpus);
	to->prepare = copy_texts(&from->prepare);
	to->inputs = copy_texts(&from->inputs);
	to->expect_mode = copy_or_null(from->expect_mode);
	to->expect_len = expected(from->expect_cfg, 0);
	to->expect_iters = expected(from->expect_cfg, 1);
	to->expect_flops = from->expect_flops;
	to->lowers_scale = from->lowers_scale;
	to->ignore_exit = from->ignore_exit;
	to->needs = copy_settings(&from->needs.versions);
	to->skipped = copy_or_null(from->needs.skipped);
	to->left_out = to->skipped != NULL;
}

static void
fill_metrics(const struct experiment *experiment, struct plan *plan)
{
	struct settings directions = {NULL, 0}, patterns = {NULL, 0}, divided = {NULL, 0};
	size_t count = experiment->metric_count, i;

	directions.items = memory_zeroed(count, sizeof *directions.items);
	patterns.items = memory_zeroed(count, sizeof *patterns.items);
	divided.items = memory_zeroed(count, sizeof *divided.items);
	for (i = 0; i < count; i++) {
		const struct metric *metric = &experiment->metrics[i];
		static char lower[] = "lower", higher[] = "higher";

		directions.items[directions.count++] =
			(struct setting){metric->name, metric->lower_is_better ? lower : higher};
		if (metric->pattern != NULL)
			patterns.items[patterns.count++] =
				(struct setting){metric->name, metric->pattern};
		if (metric->divided != NULL)
			divided.items[divided.count++] = (struct setting){metric->name, metric->divided};
	}
	plan->metrics = copy_settings(&directions);
	plan->patterns = copy_settings(&patterns);
	plan->divided = copy_settings(&divided);
	plan->primary = copy_or_empty(count > 0 ? experiment->metrics[0].name : NULL);
	free(directions.items);
	free(patterns.items);
	free(divided.items);
}

static struct group_check
copy_check(const struct group_check *from)
{
	struct group_check copy = *from;
	size_t i;

	copy.among.sets = memory_zeroed(from->among.count, sizeof *copy.among.sets);
	for (i = 0; i < from->among.count; i++)
		copy.among.sets[i] = copy_texts(&from->among.sets[i]);
	return copy;
}

static struct best_search
copy_search(const struct best_search *from)
{
	struct best_search copy = *from;

	copy.name = copy_or_null(from->name);
	copy.candidates = memory_zeroed(from->candidate_count, sizeof *copy.candidates);
	if (from->candidate_count > 0)
		memcpy(copy.candidates, from->candidates, from->candidate_count * sizeof *copy.candidates);
	return copy;
}

static void
fill_comparisons(const struct experiment *experiment, struct plan *plan)
{
	plan->comparison_count = experiment->comparison_count;
	plan->comparisons = memory_zeroed(plan->comparison_count, sizeof *plan->comparisons);
	if (plan->comparison_count > 0)
		memcpy(plan->comparisons, experiment->comparisons,
		       plan->comparison_count * sizeof *plan->comparisons);
}

void
plan_from_case(const struct study *study, const struct experiment *experiment,
	       const struct study_case *one, struct plan *plan)
{
	size_t i;

	memset(plan, 0, sizeof *plan);
	plan->case_id = memory_copy_text(one->case_id);
	plan->experiment = memory_copy_text(experiment->name);
	plan->point = point_object(&one->point);
	plan->treatment_count = one->treatment_count;
	plan->treatments = memory_zeroed(one->treatment_count, sizeof *plan->treatments);
	for (i = 0; i < one->treatment_count; i++)
		fill_treatment(study, &one->treatments[i], &plan->treatments[i]);
	fill_comparisons(experiment, plan);
	plan->reader = copy_or_empty(experiment->reader);
	plan->items = copy_or_null(experiment->items);
	fill_metrics(experiment, plan);
	plan->check = copy_check(&experiment->check);
	plan->counters = copy_texts(&experiment->counters);
	plan->cpus = copy_or_empty(one->cpus);
	plan->design = experiment->design;
	plan->group_report = experiment->group_report;
	plan->group_report.metric = copy_or_null(experiment->group_report.metric);
	plan->group_report.statistic = copy_or_null(experiment->group_report.statistic);
	plan->search = copy_search(&experiment->search);
	plan->load_above = experiment->load_above;
	plan->preempted_above = experiment->preempted_above;
}

size_t
plan_measured(const struct plan *plan, int *numbers)
{
	size_t count = 0, i;

	for (i = 0; i < plan->treatment_count; i++) {
		if (plan->treatments != NULL && plan->treatments[i].left_out)
			continue;
		if (numbers != NULL)
			numbers[count] = (int)i;
		count++;
	}
	return count;
}

int
plan_baseline(const struct plan *plan)
{
	size_t i = 0;

	while (plan->treatments != NULL && i + 1 < plan->treatment_count && plan->treatments[i].left_out)
		i++;
	return (int)i;
}

const struct plan_treatment *
plan_treatment(const struct plan *plan, int number)
{
	return &plan->treatments[(size_t)number < plan->treatment_count ? number : plan_baseline(plan)];
}

const char *
plan_cpus(const struct plan *plan, int number)
{
	const char *own = plan->treatments != NULL ? plan_treatment(plan, number)->cpus : NULL;

	return own != NULL ? own : plan->cpus;
}

int
plan_cores(const char *wish)
{
	long cores = strtol(wish, NULL, 10);

	if (strcmp(wish, "last") == 0 || strcmp(wish, "first") == 0)
		return 1;
	return cores > 0 && cores <= INT_MAX ? (int)cores : 0;
}

static void
free_treatment(struct plan_treatment *treatment)
{
	free(treatment->name);
	free(treatment->variant);
	json_decref(treatment->blocked);
	free(treatment->program.path);
	free_texts(&treatment->program.identity_inputs);
	free(treatment->program.identity_command);
	free_texts(&treatment->program.scripts);
	free(treatment->program.source);
	free_texts(&treatment->args);
	free_settings(&treatment->env);
	free(treatment->stdin_path);
	free(treatment->cwd);
	free(treatment->cpus);
	free_texts(&treatment->prepare);
	free_texts(&treatment->inputs);
	free(treatment->expect_mode);
	free_settings(&treatment->needs);
	free(treatment->skipped);
}

void
plan_free(struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->treatment_count; i++)
		free_treatment(&plan->treatments[i]);
	for (i = 0; i < plan->check.among.count; i++)
		free_texts(&plan->check.among.sets[i]);
	free(plan->check.among.sets);
	free(plan->treatments);
	free(plan->case_id);
	free(plan->experiment);
	json_decref(plan->point);
	free(plan->comparisons);
	free(plan->reader);
	free(plan->items);
	free_settings(&plan->patterns);
	free_settings(&plan->divided);
	free_settings(&plan->metrics);
	free(plan->primary);
	free_texts(&plan->counters);
	free(plan->cpus);
	free(plan->group_report.metric);
	free(plan->group_report.statistic);
	free(plan->search.name);
	free(plan->search.candidates);
	free(plan->chunks);
	memset(plan, 0, sizeof *plan);
}

/*
 * A plan from JSON. The reader keeps the first problem and answers with harmless values after
 * it, so that the functions below read like the format. Keys: plan_encode.c.
 */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "schedule/json_place.h"
#include "schedule/plan.h"

struct reader {
	const char *file;
	const char *text;
	char where[256]; /* path of the object being read: "treatments[0].program" */
	bool failed;
	struct error *error;
};

static void
complain(struct reader *reader, const char *key, const char *problem)
{
	char path[512];

	if (reader->failed)
		return;
	reader->failed = true;
	snprintf(path, sizeof path, "%s%s%s", reader->where,
		 reader->where[0] != '\0' && key[0] != '\0' ? "." : "", key);
	error_set_at(reader->error, EXIT_BAD_INPUT, reader->file,
		     json_place_line(reader->text, path),
		     "no plan that this assay can use: '%s' %s; 'assay generate' writes the plans of "
		     "build/plan again", path, problem);
}

static void
enter(struct reader *reader, const char *format, const char *key, size_t index)
{
	size_t used = strlen(reader->where);

	if (used > 0)
		strncat(reader->where, ".", sizeof reader->where - used - 1);
	used = strlen(reader->where);
	snprintf(reader->where + used, sizeof reader->where - used, format, key, index);
}

static void
leave(struct reader *reader, size_t length)
{
	reader->where[length] = '\0';
}

static const json_t *
member(struct reader *reader, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (value == NULL)
		complain(reader, key, "is missing");
	return value;
}

static char *
text_or_null(struct reader *reader, const json_t *object, const char *key)
{
	const json_t *value = member(reader, object, key);

	if (json_is_string(value))
		return memory_copy_text(json_string_value(value));
	if (!json_is_null(value))
		complain(reader, key, "must be a text or null");
	return NULL;
}

static char *
text(struct reader *reader, const json_t *object, const char *key)
{
	const json_t *value = member(reader, object, key);

	if (!json_is_string(value))
		complain(reader, key, "must be a text");
	return memory_copy_text(json_is_string(value) ? json_string_value(value) : "");
}

static bool
boolean(struct reader *reader, const json_t *object, const char *key)
{
	const json_t *value = member(reader, object, key);

	if (!json_is_boolean(value))
		complain(reader, key, "must be true or false");
	return json_is_true(value);
}

static long long
integer(struct reader *reader, const json_t *object, const char *key, long long least,
	long long most)
{
	const json_t *value = member(reader, object, key);
	long long number = (long long)json_integer_value(value);
	char problem[96];

	if (json_is_integer(value) && number >= least && number <= most)
		return number;
	snprintf(problem, sizeof problem, "must be an integer from %lld to %lld", least, most);
	complain(reader, key, problem);
	return least;
}

static int
whole(struct reader *reader, const json_t *object, const char *key)
{
	return (int)integer(reader, object, key, 0, INT_MAX);
}

static double
number(struct reader *reader, const json_t *object, const char *key)
{
	const json_t *value = member(reader, object, key);

	if (!json_is_number(value))
		complain(reader, key, "must be a number");
	return json_number_value(value);
}

static const json_t *
list(struct reader *reader, const json_t *object, const char *key)
{
	const json_t *value = member(reader, object, key);

	if (!json_is_array(value))
		complain(reader, key, "must be a list");
	return value;
}

/* Which of two words it is: false for the first. */
static bool
second_of(struct reader *reader, const json_t *object, const char *key, const char *first,
	  const char *second)
{
	const char *got = json_string_value(member(reader, object, key));
	char problem[96];

	if (got != NULL && (strcmp(got, first) == 0 || strcmp(got, second) == 0))
		return strcmp(got, second) == 0;
	snprintf(problem, sizeof problem, "must be \"%s\" or \"%s\"", first, second);
	complain(reader, key, problem);
	return false;
}

static struct texts
texts_of(struct reader *reader, const json_t *array, const char *key)
{
	struct texts texts = {memory_zeroed(json_array_size(array), sizeof *texts.items),
			      json_array_size(array)};
	size_t i;

	for (i = 0; i < texts.count; i++) {
		const char *item = json_string_value(json_array_get(array, i));

		if (item == NULL)
			complain(reader, key, "must hold texts only");
		texts.items[i] = memory_copy_text(item != NULL ? item : "");
	}
	return texts;
}

static struct texts
texts(struct reader *reader, const json_t *object, const char *key)
{
	return texts_of(reader, list(reader, object, key), key);
}

static int
by_name(const void *left, const void *right)
{
	return strcmp(((const struct setting *)left)->name, ((const struct setting *)right)->name);
}

static struct settings
settings(struct reader *reader, const json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key), *item;
	struct settings settings = {NULL, 0};
	const char *name;

	if (!json_is_object(member(reader, object, key)))
		complain(reader, key, "must be an object of texts");
	settings.items = memory_zeroed(json_object_size(value), sizeof *settings.items);
	json_object_foreach (value, name, item) {
		const char *got = json_string_value(item);

		if (got == NULL)
			complain(reader, key, "must be an object of texts");
		settings.items[settings.count].name = memory_copy_text(name);
		settings.items[settings.count++].value = memory_copy_text(got != NULL ? got : "");
	}
	qsort(settings.items, settings.count, sizeof *settings.items, by_name);
	return settings;
}

static void
program(struct reader *reader, const json_t *object, struct plan_program *program)
{
	program->path = text(reader, object, "path");
	program->built = boolean(reader, object, "built");
	program->by_inputs = boolean(reader, object, "by_inputs");
	program->identity_inputs = texts(reader, object, "identity_inputs");
	program->identity_command = text(reader, object, "identity_command");
	program->scripts = texts(reader, object, "scripts");
	if (json_object_get(object, "source") != NULL)
		program->source = text(reader, object, "source");
}

static void
treatment(struct reader *reader, const json_t *object, struct plan_treatment *to)
{
	size_t length = strlen(reader->where);

	to->name = text(reader, object, "name");
	to->variant = text(reader, object, "variant");
	if (json_object_get(object, "blocked") != NULL) {
		to->blocked = json_incref(json_object_get(object, "blocked"));
		if (!json_is_object(to->blocked))
			complain(reader, "blocked", "must be an object");
	}
	if (json_object_get(object, "cpus") != NULL)
		to->cpus = text(reader, object, "cpus");
	to->args = texts(reader, object, "args");
	to->env = settings(reader, object, "env");
	to->stdin_path = text_or_null(reader, object, "stdin_path");
	to->cwd = text_or_null(reader, object, "cwd");
	to->prepare = texts(reader, object, "prepare");
	to->inputs = texts(reader, object, "inputs");
	to->expect_mode = text_or_null(reader, object, "expect_mode");
	to->expect_len = integer(reader, object, "expect_len", -1, LLONG_MAX);
	to->expect_iters = integer(reader, object, "expect_iters", -1, LLONG_MAX);
	if (json_object_get(object, "expect_flops") != NULL)
		to->expect_flops = number(reader, object, "expect_flops");
	to->lowers_scale = boolean(reader, object, "lowers_scale");
	to->ignore_exit = boolean(reader, object, "ignore_exit");
	if (json_object_get(object, "needs") != NULL)
		to->needs = settings(reader, object, "needs");
	if (json_object_get(object, "skipped") != NULL)
		to->skipped = text(reader, object, "skipped");
	to->left_out = to->skipped != NULL;
	enter(reader, "%s", "program", 0);
	program(reader, json_object_get(object, "program"), &to->program);
	leave(reader, length);
}

static void
treatments(struct reader *reader, const json_t *object, struct plan *plan)
{
	const json_t *array = list(reader, object, "treatments");
	size_t i;

	plan->treatment_count = json_array_size(array);
	plan->treatments = memory_zeroed(plan->treatment_count, sizeof *plan->treatments);
	if (plan->treatment_count == 0)
		complain(reader, "treatments", "must not be empty");
	for (i = 0; i < plan->treatment_count; i++) {
		enter(reader, "%s[%zu]", "treatments", i);
		treatment(reader, json_array_get(array, i), &plan->treatments[i]);
		leave(reader, 0);
	}
}

static void
comparisons(struct reader *reader, const json_t *object, struct plan *plan)
{
	const json_t *array = list(reader, object, "comparisons");
	long long last = (long long)plan->treatment_count - 1;
	size_t i;

	plan->comparison_count = json_array_size(array);
	plan->comparisons = memory_zeroed(plan->comparison_count, sizeof *plan->comparisons);
	for (i = 0; i < plan->comparison_count; i++) {
		const json_t *one = json_array_get(array, i);

		enter(reader, "%s[%zu]", "comparisons", i);
		plan->comparisons[i].a = (size_t)integer(reader, one, "a", 0, last);
		plan->comparisons[i].b = (size_t)integer(reader, one, "b", 0, last);
		leave(reader, 0);
	}
}

static void
chunks(struct reader *reader, const json_t *object, struct plan *plan)
{
	const json_t *array = list(reader, object, "chunks");
	size_t i;

	plan->chunk_count = json_array_size(array);
	plan->chunks = memory_zeroed(plan->chunk_count, sizeof *plan->chunks);
	for (i = 0; i < plan->chunk_count; i++) {
		const json_t *one = json_array_get(array, i);

		enter(reader, "%s[%zu]", "chunks", i);
		plan->chunks[i].pairs = whole(reader, one, "pairs");
		plan->chunks[i].aa_pairs = whole(reader, one, "aa_pairs");
		plan->chunks[i].seed = (unsigned long long)integer(reader, one, "seed", LLONG_MIN,
								   LLONG_MAX);
		leave(reader, 0);
	}
}

static void
check(struct reader *reader, const json_t *object, struct group_check *check)
{
	const json_t *sets;
	size_t i;

	enter(reader, "%s", "check", 0);
	check->equal = boolean(reader, object, "equal");
	check->relative = number(reader, object, "relative");
	check->stdout_sha256 = boolean(reader, object, "stdout_sha256");
	check->exit_code = (int)integer(reader, object, "exit_code", INT_MIN, INT_MAX);
	sets = list(reader, object, "among");
	check->among.count = json_array_size(sets);
	check->among.sets = memory_zeroed(check->among.count, sizeof *check->among.sets);
	for (i = 0; i < check->among.count; i++) {
		if (!json_is_array(json_array_get(sets, i)))
			complain(reader, "among", "must be a list of lists");
		check->among.sets[i] = texts_of(reader, json_array_get(sets, i), "among");
	}
	leave(reader, 0);
}

static enum stop_kind
stop(struct reader *reader, const json_t *object)
{
	const char *name = json_get_text(object, "stop");

	if (strcmp(name, "until_ci") == 0)
		return STOP_UNTIL_CI;
	if (strcmp(name, "looks") == 0)
		return STOP_LOOKS;
	if (strcmp(name, "fixed") != 0)
		complain(reader, "stop", "must be \"fixed\", \"until_ci\" or \"looks\"");
	return STOP_FIXED;
}

static void
design(struct reader *reader, const json_t *object, struct design *design)
{
	enter(reader, "%s", "design", 0);
	design->pairs = whole(reader, object, "pairs");
	design->aa_pairs = whole(reader, object, "aa_pairs");
	design->warmups = whole(reader, object, "warmups");
	design->samples = whole(reader, object, "samples");
	design->warmup_samples = whole(reader, object, "warmup_samples");
	design->timeout_s = number(reader, object, "timeout_s");
	design->alternate = second_of(reader, object, "order", "balanced", "alternate");
	design->aa_first = second_of(reader, object, "aa_placement", "strata", "first");
	design->seed = (unsigned long long)integer(reader, object, "seed", LLONG_MIN, LLONG_MAX);
	design->max_failures = whole(reader, object, "max_failures");
	design->output_limit_bytes = integer(reader, object, "output_limit_bytes", 0, LLONG_MAX);
	design->stop = stop(reader, object);
	design->until_ci = number(reader, object, "until_ci");
	design->max_pairs = whole(reader, object, "max_pairs");
	design->budget_s = number(reader, object, "budget_s");
	design->looks = whole(reader, object, "looks");
	design->trimmed_mean = second_of(reader, object, "collapse", "median", "trimmed_mean");
	design->margin = number(reader, object, "margin");
	design->effect = number(reader, object, "effect");
	leave(reader, 0);
}

static void
group_report(struct reader *reader, const json_t *object, struct group_report *report)
{
	enter(reader, "%s", "group_report", 0);
	report->wanted = true;
	report->metric = text_or_null(reader, object, "metric");
	report->statistic = text(reader, object, "statistic");
	report->trim = number(reader, object, "trim");
	report->tolerance = number(reader, object, "tolerance");
	report->counts_first = second_of(reader, object, "first_block", "listed", "counted");
	leave(reader, 0);
}

static void
search(struct reader *reader, const json_t *object, const struct plan *plan, struct best_search *search)
{
	long long last = (long long)plan->treatment_count - 1;
	const json_t *candidates;
	size_t i;

	enter(reader, "%s", "search", 0);
	search->name = text(reader, object, "name");
	search->share = number(reader, object, "share");
	search->against = (size_t)integer(reader, object, "against", 0, last);
	candidates = list(reader, object, "candidates");
	search->candidate_count = json_array_size(candidates);
	search->candidates = memory_zeroed(search->candidate_count, sizeof *search->candidates);
	for (i = 0; i < search->candidate_count; i++) {
		const json_t *value = json_array_get(candidates, i);

		if (!json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) > last)
			complain(reader, "candidates", "must hold numbers of treatments");
		search->candidates[i] = (size_t)json_integer_value(value);
	}
	leave(reader, 0);
}

static void
whole_plan(struct reader *reader, json_t *object, struct plan *plan)
{
	if (strcmp(json_get_text(object, "format"), "assay-plan-1") != 0)
		complain(reader, "format", "must be \"assay-plan-1\"");
	plan->case_id = text(reader, object, "case_id");
	plan->experiment = text(reader, object, "experiment");
	plan->point = json_incref(json_object_get(object, "point"));
	if (!json_is_object(plan->point))
		complain(reader, "point", "must be an object");
	treatments(reader, object, plan);
	comparisons(reader, object, plan);
	plan->reader = text(reader, object, "reader");
	plan->items = text_or_null(reader, object, "items");
	plan->patterns = settings(reader, object, "patterns");
	plan->metrics = settings(reader, object, "metrics");
	if (json_object_get(object, "divided") != NULL)
		plan->divided = settings(reader, object, "divided");
	plan->primary = text(reader, object, "primary");
	check(reader, json_object_get(object, "check"), &plan->check);
	if (json_object_get(object, "counters") != NULL)
		plan->counters = texts(reader, object, "counters");
	plan->cpus = text(reader, object, "cpus");
	design(reader, json_object_get(object, "design"), &plan->design);
	if (json_object_get(object, "group_report") != NULL)
		group_report(reader, json_object_get(object, "group_report"), &plan->group_report);
	if (json_object_get(object, "search") != NULL)
		search(reader, json_object_get(object, "search"), plan, &plan->search);
	plan->load_above = number(reader, object, "load_above");
	plan->preempted_above = number(reader, object, "preempted_above");
	chunks(reader, object, plan);
}

int
plan_read(const char *path, struct plan *plan, struct error *error)
{
	struct buffer bytes = BUFFER_EMPTY;
	struct reader reader = {.file = path, .error = error};
	json_error_t problem;
	json_t *object;

	memset(plan, 0, sizeof *plan);
	if (file_read(path, 0, &bytes, error) != 0)
		return -1;
	object = json_loadb(buffer_text(&bytes), bytes.length, JSON_REJECT_DUPLICATES, &problem);
	if (object == NULL) {
		buffer_free(&bytes);
		return error_set_at(error, EXIT_BAD_INPUT, path, problem.line, "not valid JSON: %s",
				    problem.text);
	}
	reader.text = buffer_text(&bytes);
	whole_plan(&reader, object, plan);
	json_decref(object);
	buffer_free(&bytes);
	if (reader.failed)
		plan_free(plan);
	return reader.failed ? -1 : 0;
}

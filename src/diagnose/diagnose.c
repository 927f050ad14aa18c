#include "diagnose/diagnose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "diagnose/run.h"
#include "identity/hasher.h"
#include "identity/identity.h"
#include "session/interrupt.h"
#include "session/launch.h"
#include "session/lock.h"

#define FOLDER "build/diagnose"
#define CACHE FOLDER "/cache"
#define KEY_VERSION 1 /* of how a run is made and read */

struct diagnosing {
	const char *experiment;
	const json_t *asked; /* the experiment's "diagnose" */
	json_t *before;      /* runs of the last time; NULL: none */
	json_t *runs;        /* of this time */
	struct hasher *hasher;
	struct lock *lock;
	bool exclusive;      /* nothing else runs */
	struct error *error;
};

/* What a run is about. */
struct subject {
	const struct tool *tool;
	const struct plan *plan;
	const struct identity *identity;
	size_t treatment;
	char *folder;
	char key[DIGEST_SHA256_HEX];
};

/* ---- is it still what it was? ---- */

/* Of the tool every byte; where there is none, that. */
static void
put_tool(const struct diagnosing *diagnosing, const struct tool *tool, struct buffer *out)
{
	char *program = tool_program(tool->program), hex[DIGEST_SHA256_HEX];
	size_t i;

	if (program == NULL || hasher_digest(diagnosing->hasher, HASH_ALL, program, hex, NULL) != 0)
		snprintf(hex, sizeof hex, "missing");
	buffer_printf(out, "%s %s\n", tool->name, hex);
	for (i = 0; tool->words[i] != NULL; i++)
		buffer_printf(out, "%s\n", tool->words[i]);
	free(program);
}

/* What the kernel allows, or a device. */
static void
put_surroundings(const struct tool *tool, struct buffer *out)
{
	struct buffer text = BUFFER_EMPTY;

	if (tool->look_at == NULL)
		return;
	if (file_read(tool->look_at, 4096, &text, NULL) == 0)
		buffer_printf(out, "%s", buffer_text(&text));
	buffer_printf(out, "%s\n", file_exists(tool->look_at) ? "there" : "not there");
	buffer_free(&text);
}

static void
find_key(const struct diagnosing *diagnosing, struct subject *subject)
{
	struct buffer text = BUFFER_EMPTY;

	buffer_printf(&text, "%d\n%s\n%zu\n", KEY_VERSION, subject->identity->hex, subject->treatment);
	put_tool(diagnosing, subject->tool, &text);
	put_surroundings(subject->tool, &text);
	digest_bytes(DIGEST_SHA256, text.bytes, text.length, subject->key);
	buffer_free(&text);
}

/* Its files must still be there, too. */
static json_t *
made_before(const struct diagnosing *diagnosing, const struct subject *subject)
{
	json_t *one;
	size_t i;

	json_array_foreach(diagnosing->before, i, one)
		if (strcmp(json_get_text(one, "key"), subject->key) == 0 &&
		    strcmp(json_get_text(one, "folder"), subject->folder) == 0 && file_exists(subject->folder))
			return json_copy(one);
	return NULL;
}

/* ---- one run ---- */

static json_t *
not_run(const char *state, const char *reason)
{
	return json_pack("{s:s, s:s, s:[], s:n, s:s, s:n, s:n, s:n}", "state", state, "reason", reason, "command",
			 "exit_code", "version", "", "result", "started", "seconds");
}

/* While it runs nobody measures, and nothing of ours disturbs it. */
static int
hold_machine(struct diagnosing *diagnosing)
{
	if (diagnosing->exclusive)
		return lock_yield(diagnosing->lock, diagnosing->error);
	lock_release(diagnosing->lock);
	diagnosing->exclusive = true;
	return lock_acquire(diagnosing->lock, LOCK_EXCLUSIVE, diagnosing->error);
}

static json_t *
make(struct diagnosing *diagnosing, const struct subject *subject)
{
	struct diagnose_run run = {
		.tool = subject->tool, .plan = subject->plan, .treatment = subject->treatment,
		.folder = subject->folder, .timeout_s = json_get_number(diagnosing->asked, "timeout_s"),
	};
	json_t *record;

	if (hold_machine(diagnosing) != 0)
		return NULL;
	fprintf(stderr, "diagnose %s: %s of %s\n", subject->plan->case_id, subject->tool->name,
		subject->plan->treatments[subject->treatment].name);
	return diagnose_run(&run, &record, diagnosing->error) == 0 ? record : NULL;
}

static json_t *
record_of(struct diagnosing *diagnosing, const struct subject *subject)
{
	const char *skipped = subject->plan->treatments[subject->treatment].skipped;
	json_t *record;

	if (skipped != NULL)
		return not_run("skipped", skipped);
	if (subject->identity->recorded)
		return not_run("not run", "the results are another machine's");
	record = made_before(diagnosing, subject);
	return record != NULL ? record : make(diagnosing, subject);
}

/* The names are told anew, since they are in no key. */
static int
add_run(struct diagnosing *diagnosing, struct subject *subject)
{
	json_t *record;

	subject->folder = memory_format(FOLDER "/%s/%s/%s-%zu", diagnosing->experiment, subject->plan->case_id,
					subject->tool->name, subject->treatment);
	find_key(diagnosing, subject);
	record = record_of(diagnosing, subject);
	if (record != NULL) {
		json_object_set_new(record, "tool", json_string(subject->tool->name));
		json_object_set_new(record, "case_id", json_string(subject->plan->case_id));
		json_object_set_new(record, "treatment", json_integer((json_int_t)subject->treatment));
		json_object_set_new(record, "name",
				    json_string(subject->plan->treatments[subject->treatment].name));
		json_object_set_new(record, "key", json_string(subject->key));
		json_object_set_new(record, "folder", json_string(subject->folder));
		json_array_append_new(diagnosing->runs, record);
	}
	free(subject->folder);
	return record != NULL ? 0 : -1;
}

/* ---- a case, an experiment ---- */

static int
add_treatment(struct diagnosing *diagnosing, struct subject *subject, const char *name)
{
	const json_t *tools = json_object_get(diagnosing->asked, "tools"), *tool;
	size_t i;

	for (subject->treatment = 0; subject->treatment < subject->plan->treatment_count; subject->treatment++)
		if (strcmp(subject->plan->treatments[subject->treatment].name, name) == 0)
			break;
	if (subject->treatment == subject->plan->treatment_count)
		return error_set(diagnosing->error, EXIT_BAD_INPUT, "case %s has no treatment '%s'; 'assay generate' "
				 "writes its plan again", subject->plan->case_id, name);
	json_array_foreach((json_t *)tools, i, tool) {
		subject->tool = tool_find(json_string_value(tool));
		if (subject->tool == NULL)
			return error_set(diagnosing->error, EXIT_BAD_INPUT, "no tool '%s' is known",
					 json_string_value(tool));
		if (add_run(diagnosing, subject) != 0)
			return -1;
	}
	return 0;
}

static int
add_case(struct diagnosing *diagnosing, const char *case_id)
{
	const json_t *names = json_object_get(diagnosing->asked, "treatments"), *name;
	char *plan_path = memory_format("build/plan/%s.json", case_id);
	char *identity_path = memory_format("build/identity/%s", case_id);
	struct identity identity = {0};
	struct plan plan = {0};
	struct subject subject = {.plan = &plan, .identity = &identity};
	int result = plan_read(plan_path, &plan, diagnosing->error);
	size_t i;

	if (result == 0)
		result = identity_read(identity_path, &identity, diagnosing->error);
	json_array_foreach((json_t *)names, i, name)
		if (result == 0)
			result = add_treatment(diagnosing, &subject, json_string_value(name));
	identity_free(&identity);
	plan_free(&plan);
	free(plan_path);
	free(identity_path);
	return result;
}

static int
add_all(struct diagnosing *diagnosing)
{
	const json_t *cases = json_object_get(diagnosing->asked, "cases"), *one;
	size_t i;

	json_array_foreach((json_t *)cases, i, one)
		if (add_case(diagnosing, json_string_value(one)) != 0)
			return -1;
	return 0;
}

static const json_t *
find_asked(const json_t *study, const char *name)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(study, "experiments"), i, one)
		if (strcmp(json_get_text(one, "name"), name) == 0)
			return json_object_get(one, "diagnose");
	return NULL;
}

static int
write_document(const struct diagnosing *diagnosing, const char *path)
{
	json_t *document = json_pack("{s:s, s:s, s:O}", "format", "assay-diagnoses-1", "experiment",
				     diagnosing->experiment, "runs", diagnosing->runs);
	int result = json_write_file(path, document, FILE_IF_CHANGED, diagnosing->error);

	json_decref(document);
	return result;
}

static int
diagnose_locked(struct diagnosing *diagnosing)
{
	char *path = memory_format(FOLDER "/%s.json", diagnosing->experiment);
	json_t *document = file_exists(path) ? json_read_file(path, NULL) : NULL;
	int result;

	diagnosing->before = json_object_get(document, "runs");
	diagnosing->runs = json_array();
	result = launch_prepare(diagnosing->error);
	if (result == 0)
		result = file_make_folder(FOLDER, diagnosing->error);
	if (result == 0) {
		diagnosing->hasher = hasher_open(CACHE);
		result = add_all(diagnosing);
		hasher_close(diagnosing->hasher);
	}
	/* What was made stays made, whatever became of the rest. */
	if (result == 0 || json_array_size(diagnosing->runs) > 0)
		result = write_document(diagnosing, path) == 0 ? result : -1;
	json_decref(diagnosing->runs);
	json_decref(document);
	free(path);
	return result;
}

int
diagnose_experiment(const char *experiment, struct error *error)
{
	struct diagnosing diagnosing = {.experiment = experiment, .error = error};
	json_t *study = json_read_file("build/study.json", error);
	char *who;
	int result = -1;

	if (study == NULL)
		return -1;
	diagnosing.asked = find_asked(study, experiment);
	interrupt_watch();
	who = memory_format("diagnose %s", experiment);
	if (diagnosing.asked == NULL)
		error_set(error, EXIT_BAD_INPUT, "no experiment '%s' of this study asks to be diagnosed", experiment);
	else
		diagnosing.lock = lock_open(who, error);
	if (diagnosing.lock != NULL) {
		lock_interrupted_by(diagnosing.lock, interrupt_flag());
		if (lock_acquire(diagnosing.lock, LOCK_SHARED, error) == 0)
			result = diagnose_locked(&diagnosing);
		lock_close(diagnosing.lock);
	}
	free(who);
	json_decref(study);
	return result;
}

#include "cli/stored_case.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/judge/counters_document.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/scratch.h"
#include "cli/stored_builds.h"
#include "identity/same.h"
#include "store/samples.h"

/* Is the CPU in a list such as "0-3,8"? */
static bool
is_listed(int cpu, const char *list)
{
	char *end;

	for (; *list != '\0'; list = *end == ',' ? end + 1 : end) {
		long first = strtol(list, &end, 10), last = first;

		if (end == list)
			return false;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		if (cpu >= first && cpu <= last)
			return true;
		if (*end != ',' && *end != '\0')
			return false;
	}
	return false;
}

/* The caches that data of the measured CPU goes through, nearest first. */
static json_t *
caches_document(const json_t *caches, int measured)
{
	json_t *list = json_array(), *one;
	int level;
	size_t i;

	for (level = 1; level <= 4; level++)
		json_array_foreach((json_t *)caches, i, one)
			if (json_get_integer(one, "level", 0) == level &&
			    strcmp(json_get_text(one, "kind"), "instruction") != 0 &&
			    is_listed(measured, json_get_text(one, "cpus")))
				json_array_append_new(list, json_pack("{s:i, s:I}", "level", level, "bytes",
								      (json_int_t)json_get_integer(one, "bytes", 0)));
	return list;
}

static json_t *
session_document(const struct store_session *session, const struct samples_session *use)
{
	const json_t *git = json_object_get(session->provenance, "git");
	const json_t *cpu = json_object_get(session->provenance, "cpu");
	json_t *dirty = json_object_get(git, "dirty");
	json_t *cpus = json_array(), *caches, *profilers;
	size_t i, failed = 0;

	for (i = 0; i < session->record_count; i++)
		failed += strcmp(session->records[i].status, "ok") != 0;
	for (i = 0; session->record_count > 0 && i < (size_t)session->records[0].cpu_count; i++)
		json_array_append_new(cpus, json_integer(session->records[0].cpus[i]));
	profilers = json_object_get(session->provenance, "profilers");
	caches = caches_document(json_object_get(cpu, "caches"),
				 (int)json_integer_value(json_array_get(cpus, 0)));
	return json_pack("{s:i, s:s, s:s, s:b, s:s, s:s, s:b, s:s, s:i, s:i, s:i, s:s, s:O, s:s, s:o, s:o, s:o}", "session",
			 session->number, "started", json_get_text(session->provenance, "started"), "ended",
			 json_get_text(session->end, "ended"), "finished", session->finished, "how",
			 session->how, "why", session->why != NULL ? session->why : "", "invalid",
			 session->invalid, "reason", session->reason != NULL ? session->reason : "",
			 "groups", (int)session->record_count, "failed", (int)failed, "orphans",
			 use->orphans, "commit", json_get_text(git, "commit"), "dirty",
			 dirty != NULL ? dirty : json_null(), "machine", json_get_text(cpu, "model"),
			 "cpus", cpus, "caches", caches, "profilers",
			 profilers != NULL ? json_incref(profilers) : json_array());
}

static json_t *
looks_document(const struct store_case *store)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < store->look_count; i++)
		json_array_append_new(list, json_pack("{s:s, s:i, s:s}", "at", store->looks[i].at, "pairs",
						      store->looks[i].pairs, "rule", store->looks[i].rule));
	return list;
}

/* The compared treatments that are one program. */
static json_t *
identical_document(const struct stored_case *one)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < one->plan.comparison_count; i++) {
		const struct comparison *pair = &one->plan.comparisons[i];

		if (same_treatments(one->identity.text, pair->a, pair->b))
			json_array_append_new(list, json_pack("[i, i]", (int)pair->a, (int)pair->b));
	}
	return list;
}

static char *
point_text(const json_t *point)
{
	struct buffer out = BUFFER_EMPTY;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)point, key, value) {
		char *text = json_is_string(value) ? memory_copy_text(json_string_value(value))
						   : json_dumps(value, JSON_ENCODE_ANY |
									       JSON_REAL_PRECISION(15));

		buffer_printf(&out, "%s%s=%s", out.length > 0 ? ", " : "", key, text);
		free(text);
	}
	return buffer_detach(&out);
}

/* The lines of a text that begin with one of the words, or with none of them. */
static json_t *
lines_that(const char *text, const char *const *words, bool begin)
{
	struct buffer out = BUFFER_EMPTY;
	json_t *kept;
	size_t length, i;

	for (; *text != '\0'; text += length) {
		length = strcspn(text, "\n");
		length += text[length] == '\n';
		for (i = 0; words[i] != NULL && strncmp(text, words[i], strlen(words[i])) != 0; i++)
			;
		if ((words[i] != NULL) == begin)
			buffer_append(&out, text, length);
	}
	kept = json_string(buffer_text(&out));
	buffer_free(&out);
	return kept != NULL ? kept : json_string("");
}

/* Where and in which state of the machine. Libraries are left out: each program has its own. */
static json_t *
surroundings_document(const struct stored_case *one, const char *regime)
{
	static const char *const machine[] = {"cpu microcode = ", "cpu model = ", "machine id = ", NULL};
	static const char *const library[] = {"library ", NULL};

	return json_pack("{s:o, s:o}", "machine", lines_that(one->identity.text, machine, true),
			 "regime", lines_that(regime, library, false));
}

static void
take_use(struct stored_case *one, struct samples_use *use)
{
	size_t i;

	one->surroundings = surroundings_document(one, use->regime);
	one->regime_problem = use->regime_problem;
	use->regime_problem = NULL;
	json_decref(one->sessions);
	one->sessions = json_array();
	for (i = 0; i < one->store.session_count; i++) {
		json_array_append_new(one->sessions,
				      session_document(&one->store.sessions[i], &use->sessions[i]));
		one->orphans += use->sessions[i].orphans;
	}
	one->looks = looks_document(&one->store);
	one->builds = stored_builds(&one->plan, &one->store);
}

/* NULL where the plan asks for none, too. */
static int
take_counters(struct stored_case *one, const char *samples, struct error *error)
{
	char *path;

	if (one->plan.counters.count == 0)
		return 0;
	path = samples_counters_path(samples);
	one->counters = counters_document(path, &one->plan, error);
	free(path);
	return one->counters != NULL ? 0 : -1;
}

static int
derive_samples(struct stored_case *one, const char *path, struct error *error)
{
	struct samples_use use;

	if (samples_write(&one->store, &one->plan, path, &use, error) != 0)
		return -1;
	take_use(one, &use);
	samples_use_free(&use);
	if (take_counters(one, path, error) != 0)
		return -1;
	return observations_read(path, &one->observations, error);
}

/* What is read there stays in memory, so the file may go at once. */
static int
derive_elsewhere(struct stored_case *one, struct error *error)
{
	char *folder = scratch_folder("samples", error), *path;
	int result;

	if (folder == NULL)
		return -1;
	path = memory_format("%s/samples.csv", folder);
	result = derive_samples(one, path, error);
	file_remove_tree(folder, NULL);
	free(path);
	free(folder);
	return result;
}

static int
derive(struct stored_case *one, const char *samples, struct error *error)
{
	int result = samples != NULL ? derive_samples(one, samples, error) : derive_elsewhere(one, error);

	if (result == 0) {
		one->point_text = point_text(one->plan.point);
		one->identical = identical_document(one);
	}
	return result;
}

/* Files are named by it. */
static bool
is_plan_of(const struct stored_case *one, const char *case_id, const char *path, struct error *error)
{
	if (strcmp(one->plan.case_id, case_id) == 0)
		return true;
	error_set(error, EXIT_BAD_INPUT, "%s is the plan of another case%s", path,
		  strncmp(path, "build/", 6) == 0 ? "; 'assay generate' writes it again" : "");
	return false;
}

int
stored_case_read(const char *case_id, const char *samples, struct stored_case *one,
		 struct error *error)
{
	char *plan = memory_format("build/plan/%s.json", case_id);
	char *identity = memory_format("build/identity/%s", case_id);
	int result = -1;

	memset(one, 0, sizeof *one);
	if (!file_exists(plan))
		error_set(error, EXIT_BAD_INPUT, "no case '%s' in this study; 'assay status' lists them",
			  case_id);
	else if (!file_exists(identity))
		error_set(error, EXIT_BAD_INPUT, "nothing of case '%s' was looked at here yet: %s is not "
			  "there; 'ninja report' writes it", case_id, identity);
	else if (plan_read(plan, &one->plan, error) == 0 && is_plan_of(one, case_id, plan, error))
		result = identity_read(identity, &one->identity, error);
	if (result == 0) {
		identity_settle(&one->identity, &one->plan);
		result = store_load(case_id, one->identity.hex, &one->store, error);
	}
	if (result == 0)
		result = derive(one, samples, error);
	free(plan);
	free(identity);
	return result;
}

static int
read_own_plan(const char *case_id, const struct store_session *session, struct stored_case *one,
	      struct error *error)
{
	char *path = memory_format("%s/plan.json", session->folder);
	int result = plan_read(path, &one->plan, error);

	if (result == 0 && !is_plan_of(one, case_id, path, error)) {
		plan_free(&one->plan);
		result = -1;
	}
	free(path);
	return result;
}

/* A session whose plan cannot be read does not count, so one before it will do. */
static int
read_last_plan(const char *case_id, struct stored_case *one, struct error *error)
{
	size_t i = one->store.session_count;
	int result = error_set(error, EXIT_NOTHING, "%s has no session", one->store.folder);

	while (result != 0 && i-- > 0)
		result = read_own_plan(case_id, &one->store.sessions[i], one, error);
	return result;
}

int
stored_case_read_past(const char *case_id, const struct identity *identity, struct stored_case *one,
		      struct error *error)
{
	struct identity there;
	size_t i;

	memset(one, 0, sizeof *one);
	identity_from_text(identity->text, &one->identity);
	there = one->identity;
	there.recorded = true; /* what is skipped here and now does not matter */
	if (store_load(case_id, identity->hex, &one->store, error) != 0)
		return -1;
	one->sessions = json_array();
	for (i = 0; i < one->store.session_count; i++)
		json_array_append_new(one->sessions, session_document(&one->store.sessions[i],
								      &(struct samples_session){0}));
	if (read_last_plan(case_id, one, error) != 0)
		return -1;
	identity_settle(&there, &one->plan);
	return derive(one, NULL, error);
}

int
stored_case_read_looks(struct stored_case *one, struct error *error)
{
	store_free(&one->store);
	if (store_load(one->plan.case_id, one->identity.hex, &one->store, error) != 0)
		return -1;
	json_decref(one->looks);
	one->looks = looks_document(&one->store);
	return 0;
}

void
stored_case_free(struct stored_case *one)
{
	plan_free(&one->plan);
	identity_free(&one->identity);
	store_free(&one->store);
	observations_free(&one->observations);
	json_decref(one->sessions);
	json_decref(one->looks);
	json_decref(one->identical);
	json_decref(one->surroundings);
	json_decref(one->counters);
	json_decref(one->builds);
	free(one->regime_problem);
	free(one->point_text);
}

json_t *
stored_case_analyse(const struct stored_case *one, const struct case_options *options)
{
	struct case_input input = {
		.plan = &one->plan,
		.observations = &one->observations,
		.identity = one->identity.hex,
		.point_text = one->point_text,
		.sessions = one->sessions,
		.looks = one->looks,
		.identical = one->identical,
		.counters = one->counters,
		.builds = one->builds,
		.regime_problem = one->regime_problem,
		.orphans = one->orphans,
	};
	json_t *document;

	document = case_document(&input, options);
	json_object_set(document, "surroundings", one->surroundings);
	if (one->identity.recorded)
		json_object_set_new(document, "recorded", json_true());
	return document;
}

int
stored_case_write(const struct stored_case *one, struct error *error)
{
	char *path = memory_format("build/stats/%s.json", one->plan.case_id);
	struct case_options options = case_options_declared(&one->plan);
	json_t *document = stored_case_analyse(one, &options);
	int result = json_write_file(path, document, FILE_IF_CHANGED, error);

	json_decref(document);
	free(path);
	return result;
}

int
stored_case_compute(const char *case_id, const char *samples, struct error *error)
{
	struct stored_case one;
	int result = stored_case_read(case_id, samples, &one, error);

	if (result == 0)
		result = stored_case_write(&one, error);
	stored_case_free(&one);
	return result;
}

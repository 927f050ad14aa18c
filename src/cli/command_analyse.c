#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/case.h"
#include "analysis/judge/study.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "identity/identity.h"
#include "schedule/plan.h"
#include "session/lock.h"
#include "store/samples.h"
#include "store/store.h"

/*
 * One case's way from the store to build/stats/C.json: plan, identity and store are read,
 * samples.csv is derived, and the analysis reads that and nothing of the store but the facts
 * about its sessions, handed over as JSON.
 */
struct stored_case {
	struct plan plan;
	struct identity identity;
	struct store_case store;
	struct observations observations;
	json_t *sessions, *looks;
	char *regime_problem;
	char *point_text;
	int orphans;
};

static json_t *
session_document(const struct store_session *session, const struct samples_session *use)
{
	const json_t *git = json_object_get(session->provenance, "git");
	const json_t *cpu = json_object_get(session->provenance, "cpu");
	json_t *dirty = json_object_get(git, "dirty");
	json_t *cpus = json_array();
	size_t i, failed = 0;

	for (i = 0; i < session->record_count; i++)
		failed += strcmp(session->records[i].status, "ok") != 0;
	for (i = 0; session->record_count > 0 && i < (size_t)session->records[0].cpu_count; i++)
		json_array_append_new(cpus, json_integer(session->records[0].cpus[i]));
	return json_pack("{s:i, s:s, s:s, s:b, s:b, s:s, s:i, s:i, s:i, s:s, s:O, s:s, s:o}", "session",
			 session->number, "started", json_get_text(session->provenance, "started"), "ended",
			 json_get_text(session->end, "ended"), "finished", session->finished, "invalid",
			 session->invalid, "reason", session->reason != NULL ? session->reason : "",
			 "groups", (int)session->record_count, "failed", (int)failed, "orphans",
			 use->orphans, "commit", json_get_text(git, "commit"), "dirty",
			 dirty != NULL ? dirty : json_null(), "machine", json_get_text(cpu, "model"),
			 "cpus", cpus);
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

static int
derive_samples(struct stored_case *one, const char *case_id, struct error *error)
{
	char *path = memory_format("build/samples/%s.csv", case_id);
	struct samples_use use;
	size_t i;
	int result = samples_write(&one->store, &one->plan, path, &use, error);

	if (result == 0) {
		one->regime_problem = use.regime_problem;
		one->sessions = json_array();
		for (i = 0; i < one->store.session_count; i++) {
			json_array_append_new(one->sessions, session_document(&one->store.sessions[i],
									      &use.sessions[i]));
			one->orphans += use.sessions[i].orphans;
		}
		use.regime_problem = NULL;
		samples_use_free(&use);
		one->looks = looks_document(&one->store);
		result = observations_read(path, &one->observations, error);
	}
	free(path);
	return result;
}

static int
stored_case_read(const char *case_id, struct stored_case *one, struct error *error)
{
	char *plan = memory_format("build/plan/%s.json", case_id);
	char *identity = memory_format("build/identity/%s", case_id);
	int result = -1;

	memset(one, 0, sizeof *one);
	if (!file_exists(plan))
		error_set(error, EXIT_BAD_INPUT, "no case '%s' in this study; 'assay status' lists them",
			  case_id);
	else if (plan_read(plan, &one->plan, error) == 0 &&
		 identity_read(identity, &one->identity, error) == 0 &&
		 store_load(case_id, one->identity.hex, &one->store, error) == 0)
		result = derive_samples(one, case_id, error);
	if (result == 0)
		one->point_text = point_text(one->plan.point);
	free(plan);
	free(identity);
	return result;
}

static void
stored_case_free(struct stored_case *one)
{
	plan_free(&one->plan);
	identity_free(&one->identity);
	store_free(&one->store);
	observations_free(&one->observations);
	json_decref(one->sessions);
	json_decref(one->looks);
	free(one->regime_problem);
	free(one->point_text);
}

static json_t *
analyse(const struct stored_case *one, const struct case_options *options)
{
	struct case_input input = {
		.plan = &one->plan,
		.observations = &one->observations,
		.identity = one->identity.hex,
		.point_text = one->point_text,
		.sessions = one->sessions,
		.looks = one->looks,
		.regime_problem = one->regime_problem,
		.orphans = one->orphans,
	};

	return case_document(&input, options);
}

static const char *
rule_name(const struct design *design)
{
	if (design->stop == STOP_UNTIL_CI)
		return "until_ci";
	if (design->stop == STOP_LOOKS)
		return "looks";
	return design->max_pairs > 0 ? "max_pairs" : "fixed";
}

/* Whoever reads the result has had a look; the ledger says so before the result is there, and
 * the result shows it, so that analysing again gives the same bytes. */
static int
note_look(struct stored_case *one, struct error *error)
{
	int pairs = case_complete_pairs(&one->observations);

	if (pairs == 0)
		return 0;
	if (store_add_look(&one->store, pairs, rule_name(&one->plan.design), error) != 0)
		return -1;
	store_free(&one->store);
	if (store_load(one->plan.case_id, one->identity.hex, &one->store, error) != 0)
		return -1;
	json_decref(one->looks);
	one->looks = looks_document(&one->store);
	return 0;
}

static int
run_edge(const char *case_id, struct error *error)
{
	struct case_options options = {.collapse = COLLAPSE_MEDIAN, .confidence = 0.95};
	char *path = memory_format("build/stats/%s.json", case_id);
	struct stored_case one;
	int result = stored_case_read(case_id, &one, error);

	if (result == 0)
		result = note_look(&one, error);
	if (result == 0) {
		json_t *document;

		if (one.plan.design.trimmed_mean)
			options.collapse = COLLAPSE_TRIMMED_MEAN;
		document = analyse(&one, &options);
		result = json_write_file(path, document, FILE_IF_CHANGED, error);
		json_decref(document);
	}
	stored_case_free(&one);
	free(path);
	return result;
}

static int
run_study(struct error *error)
{
	json_t *study = json_read_file("build/study.json", error);
	json_t *document = study != NULL ? study_document(study, "build/stats", error) : NULL;
	int result = -1;

	if (document != NULL)
		result = json_write_file("build/stats.json", document, FILE_IF_CHANGED, error);
	json_decref(document);
	json_decref(study);
	return result;
}

static int
explore(const char *case_id, bool as_json, const struct case_options *options, struct error *error)
{
	struct stored_case one;
	int result = stored_case_read(case_id, &one, error);

	if (result == 0) {
		json_t *document = analyse(&one, options);
		char *text = as_json ? json_dumps(document, JSON_INDENT(2) | JSON_SORT_KEYS) : NULL;

		if (as_json)
			puts(text);
		else
			study_print_case(document, stdout);
		if (!as_json)
			puts("(stored data; nothing was measured or written, and this counts as no look)");
		free(text);
		json_decref(document);
	}
	stored_case_free(&one);
	return result;
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {
		{"edge", required_argument, NULL, 'e'}, {"study", no_argument, NULL, 's'},
		{"json", no_argument, NULL, 'j'},       {"stat", required_argument, NULL, 't'},
		{"conf", required_argument, NULL, 'c'}, {NULL, 0, NULL, 0},
	};
	struct case_options how = {.collapse = COLLAPSE_MEDIAN, .confidence = 0.95};
	const char *edge = NULL;
	bool study = false, as_json = false;
	struct error error = {0};
	struct lock *lock;
	int option, result;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'e')
			edge = optarg;
		else if (option == 's')
			study = true;
		else if (option == 'j')
			as_json = true;
		else if (option == 't' && strcmp(optarg, "trimmed_mean") == 0)
			how.collapse = COLLAPSE_TRIMMED_MEAN;
		else if (option == 't' && strcmp(optarg, "median") != 0)
			return command_misuse(&command_analyse, "--stat is median or trimmed_mean");
		else if (option == 'c')
			how.confidence = strtod(optarg, NULL);
		else if (option == '?')
			return command_misuse(&command_analyse, "unknown option");
	}
	if (!(how.confidence > 0 && how.confidence < 1))
		return command_misuse(&command_analyse, "--conf is a number between 0 and 1");
	if (edge == NULL && !study && optind + 1 != argc)
		return command_misuse(&command_analyse, "name one case");
	lock = lock_open("analyse", &error);
	if (lock == NULL || lock_acquire(lock, LOCK_SHARED, &error) != 0)
		return error_print(&error);
	if (study)
		result = run_study(&error);
	else if (edge != NULL)
		result = run_edge(edge, &error);
	else
		result = explore(argv[optind], as_json, &how, &error);
	lock_close(lock);
	return result == 0 ? EXIT_DONE : error_print(&error);
}

const struct command command_analyse = {
	"analyse",
	"compute statistics from stored records",
	"usage: assay analyse CASE [--stat median|trimmed_mean] [--conf LEVEL] [--json]\n"
	"       assay analyse --edge CASE     (the graph's: writes build/stats/CASE.json, counts as a look)\n"
	"       assay analyse --study         (the graph's: writes build/stats.json)\n\n"
	"The first form explores stored data: it measures nothing, leaves the study's results alone and\n"
	"counts as no look.",
	run,
};

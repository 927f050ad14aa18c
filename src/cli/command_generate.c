#include <dirent.h>
#include <getopt.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/home.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/skips.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/supportable.h"
#include "graph/graph.h"
#include "graph/paths.h"
#include "graph/shell.h"
#include "identity/check_index.h"
#include "schedule/plan.h"
#include "session/lock.h"
#include "spec/host.h"
#include "spec/need.h"
#include "spec/study_json.h"

#define ENTRY "build.ninja.lua"

/* What the command line says, and what the graph is written with. */
struct request {
	const char *tool, *by;   /* NULL: the running program */
	bool look_again, run_nothing;
	char *self;              /* the running program's path */
	char *generator;
	struct graph_options graph;
};

/* A path below the study's root as the study writes it: a clone elsewhere gives the same bytes. */
static char *
as_seen_from_root(char *path)
{
	char root[PATH_MAX];
	size_t length;
	char *inside;

	if (getcwd(root, sizeof root) == NULL)
		return path;
	length = strlen(root);
	if (strncmp(path, root, length) != 0 || path[length] != '/')
		return path;
	inside = memory_copy_text(path + length + 1);
	free(path);
	return inside;
}

static void
add_templates(struct texts *templates, const char *folder)
{
	char *pattern = memory_format("%s/*.gnuplot", folder);
	glob_t found;
	size_t i;

	if (glob(pattern, 0, NULL, &found) == 0) {
		for (i = 0; i < found.gl_pathc; i++)
			paths_add(templates, "%s", found.gl_pathv[i]);
		globfree(&found);
	}
	free(pattern);
}

/* The study's own templates and the tool's, and their folders, where new ones may come. */
static int
find_templates(struct request *request, struct error *error)
{
	char *home = home_path(error), *folder;

	if (home == NULL)
		return -1;
	folder = as_seen_from_root(memory_format("%s/figures", home));
	free(home);
	add_templates(&request->graph.templates, folder);
	paths_add(&request->graph.inputs, "%s", folder);
	if (strcmp(folder, "figures") != 0 && file_exists("figures")) {
		add_templates(&request->graph.templates, "figures");
		paths_add(&request->graph.inputs, "figures");
	}
	free(folder);
	return 0;
}

static int
complete_request(struct request *request, struct error *error)
{
	struct buffer generator = BUFFER_EMPTY;
	char *self = home_tool(error);

	if (self == NULL)
		return -1;
	request->self = as_seen_from_root(self);
	if (request->by == NULL) {
		shell_put_word(&generator, request->self);
		buffer_puts(&generator, " generate");
	} else {
		buffer_puts(&generator, request->by);
	}
	request->generator = buffer_detach(&generator);
	request->graph.generator = request->generator;
	request->graph.locker = request->self;
	request->graph.tool = request->tool != NULL ? request->tool : request->self;
	return find_templates(request, error);
}

static void
free_request(struct request *request)
{
	free(request->self);
	free(request->generator);
	paths_free(&request->graph.inputs);
	paths_free(&request->graph.templates);
}

/* ---- what is written ---- */

static int
write_plan(const struct study *study, const struct experiment *experiment,
	   const struct study_case *one, json_t *kept, struct error *error)
{
	char *name = memory_format("%s.json", one->case_id);
	char *path = memory_format("build/plan/%s", name);
	struct plan plan;
	int result;

	plan_from_case(study, experiment, one, &plan);
	result = plan_write(path, &plan, FILE_IF_CHANGED, error);
	plan_free(&plan);
	json_object_set_new_nocheck(kept, name, json_true());
	free(path);
	free(name);
	return result;
}

/* After the plans: it holds their digests. */
static int
write_check(const struct study *study, const struct experiment *experiment, json_t *kept,
	    struct error *error)
{
	char *name = memory_format("%s.json", experiment->name);
	char *path = memory_format("build/check/%s", name);
	int result = check_index_write(study, experiment, path, error);

	json_object_set_new_nocheck(kept, name, json_true());
	free(path);
	free(name);
	return result;
}

/* Removes the files NAME.json of the folder that are not kept: of cases that are no more. */
static void
sweep(const char *folder, json_t *kept)
{
	DIR *listing = opendir(folder);
	struct dirent *entry;

	while (listing != NULL && (entry = readdir(listing)) != NULL) {
		size_t length = strlen(entry->d_name);

		if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0 &&
		    json_object_get(kept, entry->d_name) == NULL)
			unlinkat(dirfd(listing), entry->d_name, 0);
	}
	if (listing != NULL)
		closedir(listing);
}

static int
write_cases(const struct study *study, struct error *error)
{
	json_t *plans = json_object(), *checks = json_object();
	int result = 0;
	size_t i, k;

	for (i = 0; result == 0 && i < study->experiment_count; i++) {
		const struct experiment *experiment = &study->experiments[i];

		for (k = 0; result == 0 && k < experiment->case_count; k++)
			result = write_plan(study, experiment, &experiment->cases[k], plans, error);
		if (result == 0)
			result = write_check(study, experiment, checks, error);
	}
	if (result == 0) {
		sweep("build/plan", plans);
		sweep("build/check", checks);
	}
	json_decref(plans);
	json_decref(checks);
	return result;
}

static int
write_study(const struct study *study, struct error *error)
{
	json_t *json = study_json(study, NULL);
	int result = json_write_file("build/study.json", json, FILE_IF_CHANGED, error);

	if (result == 0)
		skips_print(json);
	json_decref(json);
	return result;
}

/* Each form of an experiment is judged and reported as a study of its own. */
static int
write_forms(const struct study *study, struct error *error)
{
	int result = 0;
	size_t i;

	for (i = 0; result == 0 && i < study->experiment_count; i++) {
		const struct experiment *experiment = &study->experiments[i];
		char *path = memory_format(FORM_FOLDER "/study.json", experiment->name);
		json_t *json = experiment->form != NULL ? study_json(study, experiment->name) : NULL;

		if (json != NULL)
			result = json_write_file(path, json, FILE_IF_CHANGED, error);
		json_decref(json);
		free(path);
	}
	return result;
}

static int
write_help(const struct study *study, struct error *error)
{
	struct buffer help = BUFFER_EMPTY;
	int result;

	graph_help(study, &help);
	result = file_write("build/help.txt", help.bytes, help.length, FILE_IF_CHANGED, error);
	buffer_free(&help);
	return result;
}

static void
tell(const struct study *study)
{
	size_t cases = 0, i;

	for (i = 0; i < study->experiment_count; i++)
		cases += study->experiments[i].case_count;
	printf("build.ninja: %zu experiment%s, %zu case%s\n", study->experiment_count,
	       study->experiment_count == 1 ? "" : "s", cases, cases == 1 ? "" : "s");
}

/*
 * The text of the graph is made first, so that a study that cannot be one changes nothing, and
 * put in place last, so that what it names is there.
 */
static int
write_all(const struct study *study, const struct request *request, struct error *error)
{
	struct file_signature before, after;
	struct buffer graph = BUFFER_EMPTY;
	int result = graph_write(study, &request->graph, &graph, error);

	file_signature("build.ninja", &before);
	if (result == 0)
		result = write_cases(study, error);
	if (result == 0)
		result = write_help(study, error);
	if (result == 0)
		result = write_forms(study, error);
	if (result == 0)
		result = need_write_all(study, error);
	if (result == 0)
		result = write_study(study, error);
	if (result == 0)
		result = file_write("build.ninja", graph.bytes, graph.length, FILE_IF_CHANGED, error);
	buffer_free(&graph);
	file_signature("build.ninja", &after);
	if (result == 0 && !file_signature_equal(&before, &after))
		tell(study);
	return result;
}

static int
generate(struct request *request, struct error *error)
{
	struct host *host = host_new();
	const struct study *study;
	int result = -1;

	if (request->run_nothing)
		host_run_nothing(host);
	study = host_load(host, ENTRY, error);

	if (study != NULL && claims_supportable(study, error) == 0 &&
	    complete_request(request, error) == 0)
		result = write_all(study, request, error);
	host_free(host);
	return result;
}

/* Ninja's first step: does the graph still fit what is there? If not it is written again, and
 * that tells what is skipped. */
static int
look_again(struct error *error)
{
	struct file_signature before, after;
	json_t *study;

	file_signature(NEEDS_FILE, &before);
	if (need_look_again(error) != 0)
		return -1;
	file_signature(NEEDS_FILE, &after);
	if (!file_signature_equal(&before, &after))
		return 0;
	study = file_exists("build/study.json") ? json_read_file("build/study.json", NULL) : NULL;
	skips_print(study);
	json_decref(study);
	return 0;
}

static int
generate_locked(struct request *request, struct error *error)
{
	struct lock *lock = lock_open("generate", error);
	int result = -1;

	if (lock != NULL && lock_acquire(lock, LOCK_SHARED, error) == 0) {
		result = request->look_again ? look_again(error) : generate(request, error);
		lock_release(lock);
	}
	if (lock != NULL)
		lock_close(lock);
	return result;
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {
		{"tool", required_argument, NULL, 't'},
		{"by", required_argument, NULL, 'b'},
		{"input", required_argument, NULL, 'i'},
		{"look-again", no_argument, NULL, 'l'},
		{"run-nothing", no_argument, NULL, 'n'},
		{NULL, 0, NULL, 0},
	};
	struct request request = {0};
	struct error error = {0};
	int option, code = EXIT_DONE;

	while (code == EXIT_DONE && (option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 't')
			request.tool = optarg;
		else if (option == 'b')
			request.by = optarg;
		else if (option == 'i')
			paths_add(&request.graph.inputs, "%s", optarg);
		else if (option == 'l')
			request.look_again = true;
		else if (option == 'n')
			request.run_nothing = true;
		else
			code = command_misuse(&command_generate, "unknown option");
	}
	if (code == EXIT_DONE && optind < argc)
		code = command_misuse(&command_generate, "'%s' is too much", argv[optind]);
	if (code == EXIT_DONE && generate_locked(&request, &error) != 0)
		code = error_print(&error);
	free_request(&request);
	return code;
}

const struct command command_generate = {
	"generate",
	"read the specs and write build.ninja",
	"usage: assay generate [--tool PATH] [--by COMMAND] [--input PATH]… [--run-nothing]\n"
	"       assay generate --look-again\n\n"
	"Reads build.ninja.lua and the specs it names and writes build.ninja, build/study.json and\n"
	"build/plan/<case_id>.json, each only when it changed. A mistake in a spec is told with its\n"
	"file and line (exit code 4) and leaves the old graph in place; so does a claim that the planned\n"
	"pairs could never support.\n"
	"  --tool PATH     the program that runs the steps, where the graph itself builds it\n"
	"  --by COMMAND    how Ninja writes build.ninja again; default: this command\n"
	"  --input PATH    a further file that leads to build.ninja being written again\n"
	"  --run-nothing   run no command of the specs' needs; what they ask for is taken as there\n"
	"  --look-again    the graph's: only look whether what programs need is there still, and write\n"
	"                  build/needs.json, which leads to a new graph when an answer changed",
	run,
};

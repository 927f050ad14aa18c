#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <jansson.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/case_status.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/selection.h"
#include "identity/identity.h"
#include "identity/machine.h"
#include "schedule/plan.h"
#include "session/lock.h"

#define CHANGES_SHOWN 3

extern char **environ;

/* What the command line asks for, and what all cases share. */
struct asking {
	char **wanted; /* case ids; none: all */
	size_t wanted_count;
	bool json, no_build;
	json_t *study;
	struct hasher *hasher;
	struct buffer machine;
	const char *other_machine;
	json_t *answers; /* --json */
	json_t *skipped; /* of the case asked about: [ {"variant", "reason"} ] */
	json_t *is_built; /* program path = true or false, asked of Ninja once */
	bool runners_built;
};

/* ---- Ninja ---- */

static int
start_ninja(char *const *argv, int out, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	int problem;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_adddup2(&actions, out, 2);
	problem = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return problem;
}

/* Appends what Ninja says; true when it could build the target. */
static bool
read_ninja(int fd, pid_t child, struct buffer *said)
{
	char chunk[4096];
	int status = 0;
	ssize_t got;

	while ((got = read(fd, chunk, sizeof chunk)) > 0 || (got < 0 && errno == EINTR))
		if (got > 0)
			buffer_append(said, chunk, (size_t)got);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Whether Ninja could build the target; `loud`: if not, its words go to stderr. */
static bool
ninja(const char *target, bool loud)
{
	char name[] = "ninja", quiet[] = "--quiet", go_on[] = "-k0";
	char *copy = memory_copy_text(target), *argv[] = {name, quiet, go_on, copy, NULL};
	struct buffer said = BUFFER_EMPTY;
	int ends[2], problem;
	bool built = false;
	pid_t child = -1;

	if (pipe2(ends, O_CLOEXEC) == 0) {
		problem = start_ninja(argv, ends[1], &child);
		close(ends[1]);
		if (problem != 0)
			buffer_printf(&said, "assay: cannot start ninja: %s\n", strerror(problem));
		else
			built = read_ninja(ends[0], child, &said);
		close(ends[0]);
	}
	if (!built && loud)
		fputs(buffer_text(&said), stderr);
	buffer_free(&said);
	free(copy);
	return built;
}

/* One program's own state, when not all runners could be built. */
static bool
program_is_built(struct asking *asking, const char *path)
{
	json_t *known = json_object_get(asking->is_built, path);

	if (known == NULL) {
		known = json_boolean(ninja(path, false));
		json_object_set_new(asking->is_built, path, known);
	}
	return json_is_true(known);
}

/* Why a case's programs may be others than those that would be measured; NULL: they are not.
 * The caller frees. */
static char *
doubt(struct asking *asking, const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->treatment_count && !asking->runners_built; i++) {
		const struct plan_program *program = &plan->treatments[i].program;

		if (!program->built)
			continue;
		if (asking->no_build)
			return memory_format("%s may not be up to date, and was not built",
					     program->path);
		if (!program_is_built(asking, program->path))
			return memory_format("%s cannot be built", program->path);
	}
	return NULL;
}

/* ---- one case ---- */

static void
note_skipped(struct asking *asking, const struct plan *plan)
{
	size_t i;

	json_decref(asking->skipped);
	asking->skipped = json_array();
	for (i = 0; i < plan->treatment_count; i++)
		if (plan->treatments[i].skipped != NULL)
			json_array_append_new(asking->skipped,
					      json_pack("{s:s, s:s}", "variant", plan->treatments[i].name,
							"reason", plan->treatments[i].skipped));
}

static int
find(struct asking *asking, const char *case_id, struct case_status *status,
     struct error *error)
{
	char *path = memory_format("build/plan/%s.json", case_id), *why;
	struct plan plan;
	int result = plan_read(path, &plan, error);

	free(path);
	if (result != 0)
		return -1;
	note_skipped(asking, &plan);
	why = doubt(asking, &plan);
	plan_free(&plan);
	if (why != NULL)
		case_status_unknown(status, why);
	else
		result = case_status_find(case_id, asking->hasher,
					  buffer_text(&asking->machine), asking->other_machine,
					  status, error);
	free(why);
	return result;
}

static void
print_changes(const char *changes)
{
	int shown = 0, more = 0;

	while (*changes != '\0') {
		size_t length = strcspn(changes, "\n");

		if (shown < CHANGES_SHOWN) {
			printf("    %.*s\n", (int)length, changes);
			shown++;
		} else {
			more++;
		}
		changes += length + (changes[length] == '\n');
	}
	if (more > 0)
		printf("    and %d more\n", more);
}

static void
print_skipped(const json_t *skipped)
{
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)skipped, i, one)
		printf("    %s is skipped: %s\n", json_get_text(one, "variant"),
		       json_get_text(one, "reason"));
}

static void
print_status(const char *case_id, const struct case_status *status)
{
	printf("%s: %s", case_id, case_state_name(status->state));
	if (status->state == CASE_PARTIAL)
		printf(" (%d of %d blocks)", status->complete + status->failed, status->planned);
	else if (status->state == CASE_FAILED)
		printf(" (%d of %d blocks; 'assay retry %s' runs them again)", status->failed,
		       status->planned, case_id);
	else if (status->why[0] != '\0')
		printf(" (%s)", status->why);
	else if (status->state == CASE_FRESH)
		printf(" (%d blocks)", status->planned);
	putchar('\n');
	print_changes(status->changes);
}

static json_t *
change_list(const char *changes)
{
	json_t *list = json_array();

	while (*changes != '\0') {
		size_t length = strcspn(changes, "\n");

		json_array_append_new(list, json_stringn(changes, length));
		changes += length + (changes[length] == '\n');
	}
	return list;
}

static json_t *
status_object(const char *case_id, const char *experiment, const struct case_status *status,
	      json_t *skipped)
{
	return json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:o, s:s, s:O}", "case_id", case_id,
			 "experiment", experiment, "state", case_state_name(status->state),
			 "planned", status->planned, "complete", status->complete, "failed",
			 status->failed, "changes", change_list(status->changes), "why",
			 status->why, "skipped", skipped);
}

static int
answer(struct asking *asking, const char *experiment, const char *case_id, struct error *error)
{
	struct case_status status = {.state = CASE_UNKNOWN};
	int result = find(asking, case_id, &status, error);

	if (result == 0 && asking->json)
		json_array_append_new(asking->answers,
				      status_object(case_id, experiment, &status, asking->skipped));
	else if (result == 0)
		print_status(case_id, &status);
	if (result == 0 && !asking->json)
		print_skipped(asking->skipped);
	case_status_free(&status);
	return result;
}

/* ---- all cases ---- */

static bool
is_wanted(const struct asking *asking, const char *experiment, const char *case_id)
{
	size_t i;

	for (i = 0; i < asking->wanted_count; i++)
		if (strcmp(asking->wanted[i], case_id) == 0 || strcmp(asking->wanted[i], experiment) == 0)
			return true;
	return asking->wanted_count == 0;
}

static bool
names_something(const json_t *study, const char *name)
{
	const json_t *experiments = json_object_get(study, "experiments");
	size_t i, k;

	for (i = 0; i < json_array_size(experiments); i++) {
		const json_t *experiment = json_array_get(experiments, i);
		const json_t *cases = json_object_get(experiment, "cases");

		if (strcmp(json_get_text(experiment, "name"), name) == 0)
			return true;
		for (k = 0; k < json_array_size(cases); k++)
			if (strcmp(json_get_text(json_array_get(cases, k), "case_id"), name) == 0)
				return true;
	}
	return false;
}

static int
check_wanted(const struct asking *asking, struct error *error)
{
	size_t i;

	for (i = 0; i < asking->wanted_count; i++)
		if (!names_something(asking->study, asking->wanted[i]))
			return error_set(error, EXIT_BAD_INPUT,
					 "no case or experiment '%s'; 'assay status' without a name lists the "
					 "study's cases", asking->wanted[i]);
	return 0;
}

static int
answer_all(struct asking *asking, struct error *error)
{
	const json_t *experiments = json_object_get(asking->study, "experiments");
	size_t i, k;

	for (i = 0; i < json_array_size(experiments); i++) {
		const json_t *experiment = json_array_get(experiments, i);
		const json_t *cases = json_object_get(experiment, "cases");
		const char *name = json_get_text(experiment, "name");

		for (k = 0; k < json_array_size(cases); k++) {
			const char *case_id =
				json_get_text(json_array_get(cases, k), "case_id");

			if (is_wanted(asking, name, case_id) &&
			    answer(asking, name, case_id, error) != 0)
				return -1;
		}
	}
	return 0;
}

/* Programs are hashed here, which must not disturb a measurement. */
static int
answer_locked(struct asking *asking, struct error *error)
{
	struct lock *lock = lock_open("status", error);
	int result = -1;

	if (lock == NULL)
		return -1;
	if (lock_acquire(lock, LOCK_SHARED, error) == 0) {
		asking->hasher = hasher_open(IDENTITY_CACHE);
		result = answer_all(asking, error);
		hasher_close(asking->hasher);
		lock_release(lock);
	}
	lock_close(lock);
	return result;
}

/* The study with the experiments of its forms behind its own. */
static json_t *
study_with_forms(struct error *error)
{
	json_t *studies = selection_studies(error), *study;
	size_t i;

	if (studies == NULL)
		return NULL;
	study = json_incref(json_array_get(studies, 0));
	for (i = 1; i < json_array_size(studies); i++)
		json_array_extend(json_object_get(study, "experiments"),
				  json_object_get(json_array_get(studies, i), "experiments"));
	json_decref(studies);
	return study;
}

static int
find_out(struct asking *asking, struct error *error)
{
	const char *machine = getenv("ASSAY_MACHINE");
	int result;

	if (!asking->no_build)
		asking->runners_built = ninja("build/runners", true);
	asking->study = study_with_forms(error);
	if (asking->study == NULL || check_wanted(asking, error) != 0)
		return -1;
	machine_identity(&asking->machine);
	asking->other_machine =
		machine != NULL ? machine : json_get_text(asking->study, "machine");
	result = answer_locked(asking, error);
	if (result == 0 && asking->json) {
		json_dumpf(asking->answers, stdout, JSON_INDENT(2) | JSON_SORT_KEYS);
		putchar('\n');
	}
	return result;
}

static int
run(int argc, char **argv)
{
	static const struct option options[] = {{"json", no_argument, NULL, 'j'},
						{"no-build", no_argument, NULL, 'n'},
						{NULL, 0, NULL, 0}};
	struct asking asking = {.json = false};
	struct error error = {0};
	int option, result;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'j')
			asking.json = true;
		else if (option == 'n')
			asking.no_build = true;
		else
			return EXIT_USAGE;
	}
	asking.wanted = argv + optind;
	asking.wanted_count = (size_t)(argc - optind);
	asking.answers = json_array();
	asking.is_built = json_object();
	result = find_out(&asking, &error);
	json_decref(asking.answers);
	json_decref(asking.skipped);
	json_decref(asking.is_built);
	json_decref(asking.study);
	buffer_free(&asking.machine);
	if (result != 0)
		return error_print(&error);
	return asking.runners_built || asking.no_build ? EXIT_DONE : EXIT_FAILED;
}

const struct command command_status = {
	.name = "status",
	.about = "say which cases are fresh, stale, partial, failed",
	.usage = "usage: assay status [--no-build] [--json] [CASE|EXPERIMENT…]\n\n"
		 "Says of each case whether its stored results are those of what would be measured\n"
		 "now, and if not, by what they differ. Builds the runners first; with --no-build a\n"
		 "case whose programs the study builds is unknown.",
	.run = run,
};

/* `assay gc`: what of the store may go, and what never does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "history/garbage.h"
#include "history/overlay.h"
#include "identity/identity.h"
#include "session/running.h"
#include "history_fixture.h"
#include "tests/unit/run_command.h"
#include "tests/unit/spec_study.h"

static struct named
named_by(const char *case_id)
{
	return (struct named){json_pack("{s:b}", case_id, true), json_array(), json_object(), false};
}

static void
find_garbage(const struct named *named, struct garbage *garbage)
{
	struct error error = {0};

	if (garbage_find(named, garbage, &error) != 0)
		fail_msg("%s", error.message);
}

static void
shell(const char *command)
{
	if (system(command) != 0)
		fail_msg("failed: %s", command);
}

static void
named_cases_links_and_strangers_stay(void **state)
{
	struct named named = named_by("kept-0123456789");
	struct garbage garbage;
	struct error error = {0};

	(void)state;
	history_store("kept-0123456789", "x = 1\n");
	history_store("gone-0123456789", "x = 1\n");
	history_store("gone-0123456789", "x = 2\n");
	history_store("mixed-0123456789", "x = 1\n");
	shell("mkdir -p outside results/odd results/mixed-0123456789/mine && echo precious >outside/file &&"
	      "ln -s ../outside results/link-0123456789 &&"
	      "for i in results/gone-*/*/sessions/001; do ln -s \"$PWD/outside\" $i/link; done");
	find_garbage(&named, &garbage);
	history_assert_texts(garbage.cases, "case_id", "gone-0123456789\n");
	assert_int_equal(json_get_integer(json_array_get(garbage.cases, 0), "identities", 0), 2);
	assert_int_equal(json_get_integer(json_array_get(garbage.cases, 0), "sessions", 0), 2);
	assert_int_equal(json_array_size(garbage.odd), 3);
	assert_int_equal(garbage_remove(&garbage, &error), 0);
	assert_false(file_exists("results/gone-0123456789"));
	shell("test -e outside/file && test -e results/mixed-*/mine && test -h results/link-0123456789 &&"
	      "test -d results/odd && test -e results/kept-*/*/sessions/001/0001-ab-0.log");
	garbage_free(&garbage);
	named_free(&named);
}

static void
only_old_temporary_files_are_left_over(void **state)
{
	struct named named = named_by("kept-0123456789");
	struct garbage garbage;
	struct error error = {0};

	(void)state;
	history_store("kept-0123456789", "x = 1\n");
	shell("cd results/kept-*/* && touch -d '2 minutes ago' looks.csv.tmp.abCD12 sessions/001/x.log.tmp.abCD12"
	      " sessions/001/0001-ab-0.log sessions/001/y.tmp.abCD123 &&"
	      "touch sessions/001/z.log.tmp.abCD12 && ln -s looks.csv l.csv.tmp.abCD12 &&"
	      "touch -h -d '2 minutes ago' l.csv.tmp.abCD12");
	find_garbage(&named, &garbage);
	assert_int_equal(json_array_size(garbage.leftovers), 2);
	assert_int_equal(garbage_remove(&garbage, &error), 0);
	shell("cd results/kept-*/* && test \"$(find . -name '*.tmp.*' | wc -l)\" -eq 3 &&"
	      "test -e sessions/001/z.log.tmp.abCD12 && test -e sessions/001/0001-ab-0.log");
	garbage_free(&garbage);
	named_free(&named);
}

/* Holds the case in another process, as a session does, until the pipe that it returns is closed. */
static int
hold_case(const char *folder, pid_t *child)
{
	int ready[2], end[2];
	char byte;
	bool busy;

	assert_int_equal(pipe(ready) | pipe(end), 0);
	*child = fork();
	if (*child == 0) {
		close(end[1]);
		if (running_take(folder, "test-token-0", &busy, NULL) == NULL || write(ready[1], "x", 1) != 1)
			_exit(1);
		_exit(read(end[0], &byte, 1) == 0 ? 0 : 1);
	}
	close(end[0]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return end[1];
}

static void
nothing_goes_that_is_being_measured(void **state)
{
	struct named named = named_by("kept-0123456789"), other = named_by("none-0123456789");
	struct garbage garbage;
	struct error error = {0};
	char *folder = memory_format("results/kept-0123456789/%.16s", history_store("kept-0123456789", "x = 1\n"));
	pid_t child;
	int end, status;

	(void)state;
	shell("cd results/kept-*/* && touch -d '2 minutes ago' looks.csv.tmp.abCD12");
	end = hold_case(folder, &child);
	find_garbage(&named, &garbage);
	assert_int_equal(json_array_size(garbage.leftovers), 0);
	garbage_free(&garbage);
	assert_int_equal(garbage_find(&other, &garbage, &error), -1);
	assert_int_equal(error.code, EXIT_FAILED);
	garbage_free(&garbage);
	close(end);
	waitpid(child, &status, 0);
	find_garbage(&other, &garbage); /* its file stayed, and stands for nothing */
	history_assert_texts(garbage.cases, "case_id", "kept-0123456789\n");
	garbage_free(&garbage);
	named_free(&named);
	named_free(&other);
	free(folder);
}

static void
results_that_are_a_link_are_not_followed(void **state)
{
	struct named named = named_by("kept-0123456789");
	struct garbage garbage;
	struct error error = {0};

	(void)state;
	history_store("gone-0123456789", "x = 1\n");
	shell("mv results elsewhere && ln -s elsewhere results");
	assert_int_equal(garbage_find(&named, &garbage, &error), -1);
	garbage_free(&garbage);
	named_free(&named);
}

/* ---- the command ---- */

/* Runs `assay gc` on a terminal where somebody types the answer. */
static int
gc_answered(const char *answer)
{
	int terminal = posix_openpt(O_RDWR | O_NOCTTY), kept = dup(STDIN_FILENO), other, code;

	assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
	other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	assert_true(other >= 0 && dup2(other, STDIN_FILENO) >= 0);
	assert_int_equal(write(terminal, answer, strlen(answer)), (ssize_t)strlen(answer));
	code = run_command(&command_gc, "");
	dup2(kept, STDIN_FILENO);
	close(kept);
	close(other);
	close(terminal);
	return code;
}

static void
people_are_asked(void **state)
{
	(void)state;
	history_store("gone-0123456789", "x = 1\n");
	assert_int_equal(gc_answered("\n"), EXIT_INTERRUPTED);
	assert_non_null(strstr(run_output, "  gone-0123456789: "));
	assert_non_null(strstr(run_output, "no git repository"));
	assert_non_null(strstr(run_errors, "nothing was removed"));
	assert_true(file_exists("results/gone-0123456789"));
	assert_int_equal(gc_answered("y\n"), EXIT_DONE);
	assert_non_null(strstr(run_output, "Remove them? [y/N]"));
	assert_non_null(strstr(run_output, "removed 1 case"));
	assert_false(file_exists("results/gone-0123456789"));
}

static void
cases_of_the_work_tree_and_of_the_last_plan_count(void **state)
{
	(void)state;
	history_store("planned-0123456789", "x = 1\n");
	spec_study_write("build/plan/planned-0123456789.json", "{}\n");
	assert_int_equal(run_command(&command_gc, "--yes"), EXIT_DONE);
	assert_non_null(strstr(run_output, "nothing to remove"));
	shell("rm build/plan/planned-*");
	spec_study_write("experiments/a.lua", "experiment {\n");
	assert_int_equal(run_command(&command_gc, "--yes"), EXIT_BAD_INPUT);
	assert_non_null(strstr(run_errors, "nothing was removed: the work tree: "));
	assert_true(file_exists("results/planned-0123456789"));
	assert_int_equal(run_command(&command_gc, "--force"), EXIT_USAGE);
	assert_int_equal(run_command(&command_gc, "case"), EXIT_USAGE);
}

/* Where git cannot be asked, nobody knows of the branches. */
static void
a_repository_that_git_refuses_stops_it(void **state)
{
	(void)state;
	history_store("gone-0123456789", "x = 1\n");
	spec_study_write(".git", "gitdir: /nowhere\n");
	assert_int_not_equal(run_command(&command_gc, "--yes"), EXIT_DONE);
	assert_non_null(strstr(run_errors, "nothing was removed: there is a repository "));
	assert_true(file_exists("results/gone-0123456789"));
}

static void
environment_that_specs_ask_for_is_told(void **state)
{
	(void)state;
	history_store("gone-0123456789", "x = 1\n");
	spec_study_write("build.ninja.lua", "study{ name = \"s\" }\nlocal full = env \"FULL\"\n"
					    "runner \"lab\" { \"kernels/lab.c\" }\n"
					    "experiments \"experiments/*\"\n");
	assert_int_equal(run_command(&command_gc, "--dry-run"), EXIT_DONE);
	assert_non_null(strstr(run_output, "environment variables FULL;"));
}

/* ---- a checkout's untracked files ---- */

static void
untracked_files_are_linked_where_nothing_stands(void **state)
{
	struct error error = {0};

	(void)state;
	shell("git init -q . && mkdir -p both/deep new build results && echo w >both/deep/untracked &&"
	      "echo w >both/tracked && echo w >new/file && echo w >build/x && echo w >linked &&"
	      "mkdir -p far && echo w >far/tracked && echo w >far/other &&"
	      "mkdir -p export/both/deep outside && echo b >export/both/tracked && ln -s ../outside export/far &&"
	      "echo /export >.git/info/exclude && git add both/tracked far/tracked");
	assert_int_equal(overlay_untracked("export", &error), 0);
	shell("test \"$(cat export/both/deep/untracked export/both/tracked export/new/file export/linked)\" = "
	      "\"$(printf 'w\\nb\\nw\\nw')\" && test ! -e export/build && test ! -e export/results &&"
	      "test -z \"$(ls outside)\"");
}

int
main(void)
{
#define IN_STUDY(test) cmocka_unit_test_setup_teardown(test, history_enter, history_leave)
	const struct CMUnitTest tests[] = {
		IN_STUDY(named_cases_links_and_strangers_stay),
		IN_STUDY(only_old_temporary_files_are_left_over),
		IN_STUDY(nothing_goes_that_is_being_measured),
		IN_STUDY(results_that_are_a_link_are_not_followed),
		IN_STUDY(people_are_asked),
		IN_STUDY(cases_of_the_work_tree_and_of_the_last_plan_count),
		IN_STUDY(a_repository_that_git_refuses_stops_it),
		IN_STUDY(environment_that_specs_ask_for_is_told),
		IN_STUDY(untracked_files_are_linked_where_nothing_stands),
	};

	return cmocka_run_group_tests_name("garbage", tests, NULL, NULL);
}

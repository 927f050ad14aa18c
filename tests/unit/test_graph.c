/*
 * The graph, held against Ninja itself: a study made by hand, stand_in_tool.sh, which writes what
 * the real steps write and notes each call, and this program as the generator (--generate), which
 * makes an experiment of each file specs/NAME (graph_fixture.h).
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/memory.h"
#include "graph/graph.h"
#include "graph/shell.h"
#include "tests/unit/graph_fixture.h"

static bool
has_first_two(const char *spec)
{
	return strcmp(spec, "third") != 0;
}

static const struct graph_options plain_options = {
	.generator = "./tool generate", .locker = "tool", .tool = "tool",
};

/* ---- a folder with all of it ---- */

static int
shell(const char *format, ...)
{
	va_list arguments;
	char *command = NULL;
	int status;

	va_start(arguments, format);
	assert_true(vasprintf(&command, format, arguments) >= 0);
	va_end(arguments);
	status = system(command);
	free(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *
read_text(const char *path)
{
	struct buffer text = BUFFER_EMPTY;
	struct error error = {0};

	if (file_exists(path))
		assert_int_equal(file_read(path, 0, &text, &error), 0);
	return buffer_detach(&text);
}

/* What the tool was called with since the last time; the caller frees. */
static char *
calls(void)
{
	char *text = read_text("calls");

	unlink("calls");
	return text;
}

static void
assert_calls(const char *expected)
{
	char *text = calls();

	assert_string_equal(text, expected);
	free(text);
}

static void
assert_called(const char *line, bool expected)
{
	char *text = read_text("calls");

	if ((strstr(text, line) != NULL) != expected)
		fail_msg("'%s' %s called; the calls were:\n%s", line,
			 expected ? "was not" : "was", text);
	free(text);
}

static int
ninja(const char *arguments)
{
	int code = shell("ninja %s >out 2>&1 </dev/null", arguments);

	/* A rule that always rebuilds build.ninja would show as a long stretch of these. */
	assert_int_not_equal(shell("grep -q 'still dirty' out"), 0);
	return code;
}

static void
assert_ninja(const char *arguments)
{
	if (ninja(arguments) != 0)
		fail_msg("ninja %s failed:\n%s", arguments, read_text("out"));
}

static char root[PATH_MAX]; /* the repository, where tests start */

/* A copy, so that a test can give the tool another time. */
static void
put_tool(void)
{
	assert_int_equal(shell("cp '%s/tests/unit/stand_in_tool.sh' tool", root), 0);
}

static int
set_up(void **state)
{
	char *folder = memory_copy_text("/tmp/assay graph $é XXXXXX");

	*state = folder;
	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		return -1;
	put_tool();
	put("specs/first", "prose\n");
	put("specs/second", "prose\n");
	put("build.ninja.lua", "\n");
	put("runner.c", "runner 1\n");
	put("input-first", "1\n");
	put("input-second", "1\n");
	put("input-third", "1\n");
	return 0;
}

static int
tear_down(void **state)
{
	struct error error = {0};
	int result;

	result = chdir("/") != 0 ? -1 : file_remove_tree(*state, &error);
	free(*state);
	return result;
}

/* A folder in which everything is done and the tool has been called for nothing since. */
static int
set_up_done(void **state)
{
	if (set_up(state) != 0)
		return -1;
	assert_int_equal(generate(), 0);
	assert_ninja("report");
	free(calls());
	return 0;
}

/* ---- what cannot be a graph ---- */

static void
assert_refused(const struct study *study, int line, const char *part)
{
	struct error error = {0};

	assert_null(write_graph(study, &plain_options, &error));
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	assert_int_equal(error.line, line);
	if (strstr(error.message, part) == NULL)
		fail_msg("the message does not say '%s': %s", part, error.message);
}

static void
two_commands_for_one_file_are_refused(void **state)
{
	struct made made;

	(void)state;
	make_study(&made, has_first_two);
	made.edges[1] = made.edges[0];
	made.edges[1].place.line = 9;
	made.study.edge_count = 2;
	assert_refused(&made.study, 9, "build/runner");
}

static void
a_file_made_from_itself_is_refused(void **state)
{
	struct made made;

	(void)state;
	make_study(&made, has_first_two);
	made.texts[6] = (char *)"build/half";
	made.edges[1] = made.edges[0];
	made.edges[1].outputs = (struct texts){&made.texts[8], 1};
	made.edges[1].inputs = (struct texts){&made.texts[9], 1};
	made.texts[8] = (char *)"build/half";
	made.texts[9] = (char *)"build/other";
	made.edges[1].implicit = made.edges[0].outputs;
	made.study.edge_count = 2;
	assert_refused(&made.study, 7, "build/runner needs build/half needs build/runner");
}

static void
outputs_in_the_store_are_refused(void **state)
{
	struct made made;

	(void)state;
	make_study(&made, has_first_two);
	made.texts[5] = (char *)"results/x";
	assert_refused(&made.study, 7, "results/x");
}

static void
wrong_statements_are_refused(void **state)
{
	struct made made;

	(void)state;
	make_study(&made, has_first_two);
	made.edges[0].rule = (char *)"cpoy";
	assert_refused(&made.study, 7, "cpoy");
	make_study(&made, has_first_two);
	made.texts[6] = (char *)"a\nb";
	assert_refused(&made.study, 7, "newline");
	make_study(&made, has_first_two);
	made.rule_variables[0][0].value = (char *)"a\nb";
	assert_refused(&made.study, 0, "newline");
}

static void
names_of_targets_are_not_experiments(void **state)
{
	static const char *const names[] = {"report", "bundle", "runners", "help", "specs"};
	struct made made;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct error error = {0};

		make_study(&made, has_first_two);
		made.experiments[0].name = (char *)names[i];
		assert_null(write_graph(&made.study, &plain_options, &error));
		assert_int_equal(error.code, EXIT_BAD_INPUT);
		assert_non_null(strstr(error.message, names[i]));
	}
}

/* ---- the text ---- */

static void
equal_studies_give_equal_bytes(void **state)
{
	struct error error = {0};
	struct made one, two;
	char *a, *b;

	(void)state;
	make_study(&one, has_first_two);
	make_study(&two, has_first_two);
	a = write_graph(&one.study, &plain_options, &error);
	b = write_graph(&two.study, &plain_options, &error);
	assert_string_equal(a, b);
	free(a);
	free(b);
}

static void
nothing_in_the_store_is_an_output(void **state)
{
	(void)state;
	assert_int_equal(generate(), 0);
	assert_int_equal(shell("ninja -t targets all >targets"), 0);
	assert_int_equal(shell("grep -q '^build/session/first-n=0: assay_measure$' targets"), 0);
	assert_int_not_equal(shell("grep -q '^results' targets"), 0);
	assert_int_not_equal(shell("grep -q 'depfile' build.ninja"), 0);
}

static void
a_session_waits_for_the_runner_and_is_made_stale_by_the_identity(void **state)
{
	(void)state;
	assert_int_equal(generate(), 0);
	assert_int_equal(shell("ninja -t query build/session/first-n=0 >query"), 0);
	assert_int_equal(shell("grep -q '^    | build/identity/first-n=0$' query"), 0);
	assert_int_equal(shell("grep -q '^    || build/runners$' query"), 0);
	assert_int_equal(shell("ninja -t query build/runners >query"), 0);
	assert_int_equal(shell("grep -q '^    build/runner$' query && grep -q '^    ./tool$\\|^    tool$' query"), 0);
}

/* ---- what Ninja does with it ---- */

static void
everything_runs_once_in_order(void **state)
{
	char *text, *measure;

	(void)state;
	assert_int_equal(generate(), 0);
	assert_ninja("");
	text = calls();
	assert_non_null(strstr(text, "lock cp\n"));
	assert_null(strstr(text, "bundle\n"));
	measure = strstr(text, "measure first-n=0\n");
	assert_non_null(measure);
	assert_null(strstr(measure + 1, "measure first-n=0\n"));
	assert_true(strstr(text, "lock cp\n") < measure);
	assert_true(strstr(text, "check first\n") < measure);
	assert_true(measure < strstr(text, "analyse --edge first-n=0\n"));
	assert_true(strstr(text, "analyse --study\n") < strstr(text, "plot second runs\n"));
	assert_true(strstr(text, "plot second runs\n") < strstr(text, "report\n"));
	assert_string_equal(strstr(text, "report --gate\n"), "report --gate\n");
	free(text);
}

static void
a_second_time_only_check_runs(void **state)
{
	(void)state;
	assert_ninja("-j1 report");
	assert_calls("check first\ncheck second\n");
	assert_ninja("-j1");
	assert_calls("check first\ncheck second\n");
}

static void
dry_runs_and_cleaning_leave_the_store_alone(void **state)
{
	(void)state;
	assert_ninja("-n report");
	assert_calls("");
	assert_ninja("-t clean");
	assert_true(file_exists("results/first-n=0"));
	assert_true(file_exists("build.ninja"));
	assert_true(file_exists("build/plan/first-n=0.json"));
	assert_ninja("report");
}

static void
only_the_cases_whose_content_changed_are_measured(void **state)
{
	(void)state;
	put("input-second", "2\n");
	/* The time of the file says nothing: older than anything that was built from it. */
	assert_int_equal(shell("touch -d 1999-01-01 input-second"), 0);
	assert_ninja("report");
	assert_called("measure second-n=0\n", true);
	assert_called("measure second-n=1\n", true);
	assert_called("measure first", false);
	assert_called("analyse --edge first", false);
	assert_called("report\n", true);
}

static void
an_equal_runner_measures_nothing(void **state)
{
	(void)state;
	assert_int_equal(shell("touch runner.c"), 0);
	assert_ninja("report");
	assert_called("lock cp\n", true);
	assert_called("measure", false);
	assert_called("report\n", false);
}

static void
another_tool_analyses_again_but_measures_nothing(void **state)
{
	(void)state;
	assert_int_equal(shell("touch tool"), 0);
	assert_ninja("report");
	assert_called("measure", false);
	assert_called("analyse --edge first-n=0\n", true);
	assert_called("plot first runs\n", true);
}

static void
edited_prose_makes_the_report_alone(void **state)
{
	(void)state;
	put("specs/first", "other prose\n");
	assert_ninja("report");
	assert_called("report\n", true);
	assert_called("measure", false);
	assert_called("plot", false);
}

static void
a_deleted_spec_is_recovered_from(void **state)
{
	(void)state;
	assert_int_equal(unlink("specs/second"), 0);
	assert_ninja("report");
	assert_called("measure", false);
	assert_called("check second", false);
	assert_called("analyse --study\n", true);
	free(calls());
	assert_ninja("report");
	assert_calls("check first\n");
}

static void
a_spec_with_an_old_time_is_found(void **state)
{
	(void)state;
	put("old", "prose\n");
	assert_int_equal(shell("touch -d 1999-01-01 old && mv old specs/third"), 0);
	assert_ninja("report");
	assert_called("measure third-n=1\n", true);
	assert_called("measure first", false);
}

static void
a_wrong_spec_leaves_the_old_graph(void **state)
{
	char *before = read_text("build.ninja"), *after;

	(void)state;
	put("specs/wrong", "\n");
	assert_int_not_equal(ninja("report"), 0);
	assert_calls("");
	after = read_text("build.ninja");
	assert_string_equal(before, after);
	assert_int_equal(unlink("specs/wrong"), 0);
	assert_ninja("report");
	assert_called("measure", false);
	free(before);
	free(after);
}

static void
a_lost_plan_is_written_again(void **state)
{
	(void)state;
	assert_int_equal(unlink("build/plan/first-n=0.json"), 0);
	assert_ninja("report");
	assert_true(file_exists("build/plan/first-n=0.json"));
	assert_called("measure first-n=1\n", false);
}

static void
a_wiped_build_folder_is_recovered_from(void **state)
{
	(void)state;
	assert_int_equal(shell("rm -rf build"), 0);
	assert_ninja("report");
	assert_called("report --gate\n", true);
	free(calls());
	assert_ninja("-j1 report");
	assert_calls("check first\ncheck second\n");
}

static void
a_lost_ninja_log_measures_what_it_must_and_settles(void **state)
{
	(void)state;
	assert_int_equal(unlink("build/.ninja_log"), 0);
	assert_ninja("report");
	free(calls());
	assert_ninja("-j1 report");
	assert_calls("check first\ncheck second\n");
}

static void
the_gate_runs_until_it_holds(void **state)
{
	(void)state;
	put("refuted", "");
	assert_int_equal(unlink("build/report/gate"), 0);
	assert_int_not_equal(ninja("report"), 0);
	assert_called("report --gate\n", true);
	free(calls());
	assert_int_not_equal(ninja("report"), 0);
	assert_called("report --gate\n", true);
	assert_int_equal(unlink("refuted"), 0);
	assert_ninja("report");
}

static void
a_broken_runner_is_told(void **state)
{
	(void)state;
	assert_int_equal(unlink("runner.c"), 0);
	assert_int_not_equal(ninja("-k 0 report"), 0);
	assert_called("measure", false);
	assert_int_equal(shell("grep -q runner.c out"), 0);
}

static void
names_ask_for_experiments_cases_and_help(void **state)
{
	(void)state;
	assert_int_equal(generate(), 0);
	assert_ninja("second-n=1");
	assert_called("analyse --edge second-n=1\n", true);
	assert_called("measure second-n=0\n", false);
	assert_ninja("first");
	assert_called("analyse --edge first-n=0\n", true);
	assert_called("measure second-n=0\n", false);
	assert_ninja("help");
	assert_int_equal(shell("grep -q '^  runners  *compile$' out"), 0);
	assert_int_equal(shell("grep -q '^  second  *A question$' out"), 0);
	assert_ninja("bundle");
	assert_true(file_exists("build/bundle/study.tar.zst"));
}

/* ---- awkward names and commands ---- */

static void
write_with(struct made *made, const char *command)
{
	struct graph_options options = {
		.generator = "true", .locker = "./tool", .tool = "./tool",
	};
	struct error error = {0};
	char *text;

	made->rule_variables[0][0].value = (char *)command;
	text = write_graph(&made->study, &options, &error);
	if (text == NULL)
		fail_msg("%s", error.message);
	put("build/study.json", "");
	put("build/help.txt", "");
	put("build.ninja", text);
	free(text);
}

static void
awkward_paths_reach_the_command_whole(void **state)
{
	static const char *const commands[] = {"cp $in $out", "true && cp $in $out"};
	struct made made;
	size_t i;

	(void)state;
	put("it's $in: a #1 é.c", "content\n");
	for (i = 0; i < 2; i++) {
		make_study(&made, has_first_two);
		made.texts[5] = (char *)"build/it's $out: a #1 é";
		made.texts[6] = (char *)"it's $in: a #1 é.c";
		made.program.path = made.texts[5];
		write_with(&made, commands[i]);
		assert_ninja("build/runners");
		assert_called(i == 0 ? "lock cp\n" : "lock sh\n", true);
		free(calls());
		assert_true(file_exists("build/it's $out: a #1 é"));
		assert_int_equal(shell("rm -rf build"), 0);
	}
}

static void
an_unlocked_edge_runs_as_it_is(void **state)
{
	struct made made;

	(void)state;
	make_study(&made, has_first_two);
	made.edges[0].unlocked = true;
	write_with(&made, "cp $in $out");
	assert_ninja("runners");
	assert_calls("");
}

static void
a_changed_script_runs_again(void **state)
{
	struct made made;

	(void)state;
	make_study(&made, has_first_two);
	write_with(&made, "cd . && cp $in $out");
	assert_ninja("runners");
	assert_calls("lock sh\n");
	assert_ninja("runners");
	assert_calls("");
	write_with(&made, "cd . && cp -f $in $out");
	assert_ninja("runners");
	assert_calls("lock sh\n");
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_commands_for_one_file_are_refused),
		cmocka_unit_test(a_file_made_from_itself_is_refused),
		cmocka_unit_test(outputs_in_the_store_are_refused),
		cmocka_unit_test(wrong_statements_are_refused),
		cmocka_unit_test(names_of_targets_are_not_experiments),
		cmocka_unit_test(equal_studies_give_equal_bytes),
#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
#define WHEN_DONE(f) cmocka_unit_test_setup_teardown(f, set_up_done, tear_down)
		IN_FOLDER(nothing_in_the_store_is_an_output),
		IN_FOLDER(a_session_waits_for_the_runner_and_is_made_stale_by_the_identity),
		IN_FOLDER(everything_runs_once_in_order),
		WHEN_DONE(a_second_time_only_check_runs),
		WHEN_DONE(dry_runs_and_cleaning_leave_the_store_alone),
		WHEN_DONE(only_the_cases_whose_content_changed_are_measured),
		WHEN_DONE(an_equal_runner_measures_nothing),
		WHEN_DONE(another_tool_analyses_again_but_measures_nothing),
		WHEN_DONE(edited_prose_makes_the_report_alone),
		WHEN_DONE(a_deleted_spec_is_recovered_from),
		WHEN_DONE(a_spec_with_an_old_time_is_found),
		WHEN_DONE(a_wrong_spec_leaves_the_old_graph),
		WHEN_DONE(a_lost_plan_is_written_again),
		WHEN_DONE(a_wiped_build_folder_is_recovered_from),
		WHEN_DONE(a_lost_ninja_log_measures_what_it_must_and_settles),
		WHEN_DONE(the_gate_runs_until_it_holds),
		WHEN_DONE(a_broken_runner_is_told),
		IN_FOLDER(names_ask_for_experiments_cases_and_help),
		IN_FOLDER(awkward_paths_reach_the_command_whole),
		IN_FOLDER(an_unlocked_edge_runs_as_it_is),
		IN_FOLDER(a_changed_script_runs_again),
	};

	int code = stand_in(argc, argv);

	if (code >= 0)
		return code;
	if (getcwd(root, sizeof root) == NULL)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What was measured before: `assay log`, `assay diff` and `assay gc`, on stores made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "history/across.h"
#include "history/change.h"
#include "history/garbage.h"
#include "history/overlay.h"
#include "history/past.h"
#include "identity/identity.h"
#include "session/running.h"
#include "tests/unit/run_command.h"
#include "tests/unit/spec_study.h"

#define ONE "0000000000000000000000000000000000000000000000000000000000000001"
#define TWO "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"

/* ---- in words ---- */

static void
assert_texts(const json_t *list, const char *key, const char *expected)
{
	struct buffer found = BUFFER_EMPTY;
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		buffer_printf(&found, "%s\n", json_get_text(one, key));
	assert_string_equal(buffer_text(&found), expected);
	buffer_free(&found);
}

static void
two_treatments(struct plan *plan, struct plan_treatment *treatments, char *a, char *b)
{
	memset(plan, 0, sizeof *plan);
	memset(treatments, 0, 2 * sizeof *treatments);
	treatments[0].name = a;
	treatments[1].name = b;
	plan->treatments = treatments;
	plan->treatment_count = 2;
}

static void
each_line_of_an_identity_has_words(void **state)
{
	static const char from[] =
		"cpu model = AMD\ninput data/x.gz = " ONE "\nsamples = 10\n"
		"treatment 0 program = " ONE "\ntreatment 0 library libm.so.6 = " ONE "\n"
		"treatment 1 argument 1 = 700\ntreatment 1 env N = 1\ntreatment 1 stdin = " ONE "\n";
	static const char to[] =
		"cpu model = Intel\ninput data/x.gz = " TWO "\nsamples = 12\n"
		"treatment 0 program = " TWO "\ntreatment 0 interpreter sh = " TWO "\n"
		"treatment 1 argument 1 = \ntreatment 1 argument 2 = x: y -> z\ntreatment 1 stdin = " TWO "\n";
	static const char words[] =
		"machine: CPU model: AMD -> Intel\n"
		"input data/x.gz: other content (000000000000 -> ffffffffffff)\n"
		"design: samples: 10 -> 12\n"
		"program of new_a: other content (000000000000 -> ffffffffffff)\n"
		"interpreter sh of new_a: new\n"
		"argument 1 of b: 700 -> empty\n"
		"argument 2 of b: new: x: y -> z\n"
		"standard input of b: other content (000000000000 -> ffffffffffff)\n"
		"library libm.so.6 of a: no longer there\n"
		"environment variable N of b: no longer there: 1\n";
	struct plan_treatment before[2], after[2];
	struct plan plan_from, plan_to;
	char a[] = "a", b[] = "b", new_a[] = "new_a";
	json_t *list;

	(void)state;
	two_treatments(&plan_from, before, a, b);
	two_treatments(&plan_to, after, new_a, b);
	list = change_list(from, to, &plan_from, &plan_to);
	assert_texts(list, "text", words);
	assert_texts(list, "kind", "machine\ninput\ndesign\nprogram\ninterpreter\nargument\nargument\ninput\n"
				   "library\nenvironment\n");
	assert_true(json_is_null(json_object_get(json_array_get(list, 4), "from")));
	assert_string_equal(json_get_text(json_array_get(list, 4), "to"), TWO);
	json_decref(list);
	list = change_list(from, from, &plan_from, &plan_to);
	assert_int_equal(json_array_size(list), 0);
	json_decref(list);
	list = change_list("treatment 1 program = x\n", "treatment 1 program = y\n", NULL, NULL);
	assert_texts(list, "text", "program of treatment 1: x -> y\n");
	json_decref(list);
}

static void
a_regime_that_is_not_known_is_no_equal_one(void **state)
{
	json_t *list = change_regime("a = 1\nb = 2\n", "a = 1\nb = 3\n");

	(void)state;
	assert_texts(list, "name", "b\n");
	json_decref(list);
	assert_true(json_is_null(change_regime(NULL, "a = 1\n")));
	assert_true(json_is_null(change_regime("a = 1\n", NULL)));
}

/* ---- the results of two identities ---- */

static json_t *
treatment(int number, const char *name, double first, int count)
{
	json_t *values = json_array();
	int i;

	for (i = 0; i < count; i++)
		json_array_append_new(values, json_pack("{s:f}", "value", first * (1 + 0.001 * i)));
	return json_pack("{s:i, s:s, s:i, s:f, s:o}", "treatment", number, "name", name, "groups", count,
			 "median", first, "values", values);
}

/* A case document of one item with two treatments. */
static json_t *
document(const char *better, json_t *a, json_t *b)
{
	return json_pack("{s:b, s:s, s:[{s:s, s:s, s:[{s:s, s:[o, o]}]}]}", "invalid", false, "invalid_reason",
			 "", "metrics", "name", "wall_us", "better", better, "items", "item", "", "treatments", a,
			 b);
}

/* Takes both over. */
static json_t *
across(json_t *from, json_t *to)
{
	json_t *list = across_list(from, to);

	json_decref(from);
	json_decref(to);
	return list;
}

static double
speedup(const json_t *list, size_t index, const char *key)
{
	return json_get_number(json_array_get(list, index), key);
}

#define assert_near(value, expected) assert_true(fabs((value) - (expected)) < 0.01)

static void
treatments_go_together_by_name(void **state)
{
	json_t *list = across(document("lower", treatment(0, "a", 100, 8), treatment(1, "b", 400, 8)),
			      document("lower", treatment(0, "b", 100, 8), treatment(1, "a", 100, 8)));

	(void)state;
	assert_texts(list, "name", "b\na\n");
	assert_near(speedup(list, 0, "speedup"), 4);
	assert_true(speedup(list, 0, "speedup_lo") > 3.9 && speedup(list, 0, "speedup_hi") < 4.1);
	assert_true(speedup(list, 0, "level") >= 0.95 && speedup(list, 0, "p") < 0.001);
	assert_near(speedup(list, 1, "speedup"), 1);
	assert_true(speedup(list, 1, "p") > 0.9);
	assert_texts(list, "reason", "\n\n");
	json_decref(list);
}

static void
a_renamed_treatment_keeps_its_number(void **state)
{
	json_t *list = across(document("lower", treatment(0, "a", 100, 8), treatment(1, "b", 400, 8)),
			      document("lower", treatment(0, "a", 100, 8), treatment(1, "fused", 200, 8)));

	(void)state;
	assert_int_equal(json_array_size(list), 2);
	assert_near(speedup(list, 1, "speedup"), 2);
	assert_string_equal(json_get_text(json_object_get(json_array_get(list, 1), "from"), "name"), "b");
	json_decref(list);
	list = across(document("lower", treatment(0, "a", 100, 8), treatment(1, "b", 400, 8)),
		      document("lower", treatment(0, "x", 100, 8), treatment(1, "a", 200, 8)));
	assert_texts(list, "name", "x\na\nb\n");
	assert_texts(list, "reason", "not there before\n\nno longer there\n");
	json_decref(list);
}

static void
above_one_is_better_whatever_the_metric(void **state)
{
	json_t *list = across(document("higher", treatment(0, "a", 100, 8), treatment(1, "b", 400, 8)),
			      document("higher", treatment(0, "a", 150, 8), treatment(1, "b", 200, 8)));

	(void)state;
	assert_near(speedup(list, 0, "speedup"), 1.5);
	assert_near(speedup(list, 1, "speedup"), 0.5);
	json_decref(list);
}

static void
what_cannot_be_computed_has_a_reason_and_no_number(void **state)
{
	json_t *from = document("lower", treatment(0, "a", 100, 2), treatment(1, "b", 0, 8));
	json_t *to = document("lower", treatment(0, "a", 100, 2), treatment(1, "b", 400, 8));
	json_t *list = across_list(from, to);

	(void)state;
	assert_near(speedup(list, 0, "speedup"), 1); /* too few for an interval only */
	assert_true(isnan(speedup(list, 0, "speedup_lo")) && isnan(speedup(list, 1, "speedup")));
	assert_string_not_equal(json_get_text(json_array_get(list, 0), "reason"), "");
	assert_string_not_equal(json_get_text(json_array_get(list, 1), "reason"), "");
	json_decref(list);
	json_object_set_new(to, "invalid", json_true());
	json_object_set_new(to, "invalid_reason", json_string("outputs disagree"));
	list = across(from, to);
	assert_true(isnan(speedup(list, 0, "speedup")) && isnan(speedup(list, 0, "p")));
	assert_texts(list, "reason", "outputs disagree\noutputs disagree\n");
	json_decref(list);
}

/* ---- a study with a store ---- */

static int
enter(void **state)
{
	(void)state;
	spec_study_enter();
	spec_study_write("build.ninja.lua", spec_study_entry);
	spec_study_write("experiments/a.lua",
			 "experiment \"a\" { variants = { variant \"x\" { \"lab\" }, variant \"y\" { \"lab\" } } }\n");
	return 0;
}

static int
leave(void **state)
{
	(void)state;
	run_free();
	spec_study_leave();
	return 0;
}

/* An identity of a case with a session; its hex lives until the next call. */
static const char *
store(const char *case_id, const char *text)
{
	static struct identity identity;
	char *path;

	identity_from_text(text, &identity);
	identity_free(&identity);
	path = memory_format("results/%s/%.16s/identity.txt", case_id, identity.hex);
	spec_study_write(path, text);
	free(path);
	path = memory_format("results/%s/%.16s/sessions/001/0001-ab-0.log", case_id, identity.hex);
	spec_study_write(path, "a record\n");
	free(path);
	return identity.hex;
}

static void
make_current(const char *case_id, const char *text)
{
	struct identity identity;
	char *path = memory_format("build/plan/%s.json", case_id), *content;

	identity_from_text(text, &identity);
	spec_study_write(path, "{}\n");
	free(path);
	path = memory_format("build/identity/%s", case_id);
	content = memory_format("%s\n%s", identity.hex, text);
	spec_study_write(path, content);
	identity_free(&identity);
	free(content);
	free(path);
}

static void
assert_not_found(const struct past *past, const char *asked, const char *why)
{
	struct error error = {0};

	assert_null(past_find(past, asked, &error));
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	assert_non_null(strstr(error.message, why));
}

static void
identities_are_found_by_a_beginning(void **state)
{
	struct error error = {0};
	struct past past;
	char first[17], prefix[4];

	(void)state;
	snprintf(first, sizeof first, "%s", store("gone-0123456789", "x = 1\n"));
	store("gone-0123456789", "x = 2\n");
	assert_int_equal(past_read("gone-0123456789", &past, &error), 0); /* no plan has it */
	assert_int_equal(past.count, 2);
	snprintf(prefix, sizeof prefix, "%.3s", first);
	assert_string_equal(past_find(&past, prefix, &error)->text, "x = 1\n");
	assert_not_found(&past, "current", "no current identity");
	assert_not_found(&past, "", first);
	assert_not_found(&past, "xyz", "is no identity");
	past_free(&past);
	make_current("gone-0123456789", "x = 3\n");
	spec_study_write("results/gone-0123456789/0123456789abcdef/identity.txt", "not of that name\n");
	assert_int_equal(past_read("gone-0123456789", &past, &error), 0);
	assert_string_equal(past_find(&past, "current", &error)->text, "x = 3\n");
	assert_true(past_is_current(&past, past_find(&past, past.current.hex, &error)));
	assert_int_equal(json_array_size(past.left_out), 1);
	past_free(&past);
	memset(&error, 0, sizeof error);
	spec_study_write("build/study.json", "{}\n");
	assert_int_equal(past_read("../results", &past, &error), -1);
	past_free(&past);
}

/* Two identities of one beginning. */
static void
a_beginning_of_two_identities_is_none(void **state)
{
	struct error error = {0};
	struct past past;
	char text[32], prefix[2] = "";
	int i;

	(void)state;
	for (i = 0; i < 17; i++) { /* two of them begin alike */
		snprintf(text, sizeof text, "x = %d\n", i);
		store("many-0123456789", text);
	}
	assert_int_equal(past_read("many-0123456789", &past, &error), 0);
	for (i = 0; i < 16 && prefix[0] == '\0'; i++) {
		size_t k, count = 0;

		for (k = 0; k < past.count; k++)
			count += past.list[k].folder[0] == "0123456789abcdef"[i];
		if (count > 1)
			prefix[0] = "0123456789abcdef"[i];
	}
	assert_not_found(&past, prefix, "may be several");
	past_free(&past);
}

/* ---- what may go ---- */

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
	store("kept-0123456789", "x = 1\n");
	store("gone-0123456789", "x = 1\n");
	store("gone-0123456789", "x = 2\n");
	store("mixed-0123456789", "x = 1\n");
	shell("mkdir -p outside results/odd results/mixed-0123456789/mine && echo precious >outside/file &&"
	      "ln -s ../outside results/link-0123456789 &&"
	      "for i in results/gone-*/*/sessions/001; do ln -s \"$PWD/outside\" $i/link; done");
	find_garbage(&named, &garbage);
	assert_texts(garbage.cases, "case_id", "gone-0123456789\n");
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
	store("kept-0123456789", "x = 1\n");
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
	char *folder = memory_format("results/kept-0123456789/%.16s", store("kept-0123456789", "x = 1\n"));
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
	assert_texts(garbage.cases, "case_id", "kept-0123456789\n");
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
	store("gone-0123456789", "x = 1\n");
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
	store("gone-0123456789", "x = 1\n");
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
	store("planned-0123456789", "x = 1\n");
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
	store("gone-0123456789", "x = 1\n");
	spec_study_write(".git", "gitdir: /nowhere\n");
	assert_int_not_equal(run_command(&command_gc, "--yes"), EXIT_DONE);
	assert_non_null(strstr(run_errors, "nothing was removed: there is a repository "));
	assert_true(file_exists("results/gone-0123456789"));
}

static void
environment_that_specs_ask_for_is_told(void **state)
{
	(void)state;
	store("gone-0123456789", "x = 1\n");
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
#define IN_STUDY(test) cmocka_unit_test_setup_teardown(test, enter, leave)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_of_an_identity_has_words),
		cmocka_unit_test(a_regime_that_is_not_known_is_no_equal_one),
		cmocka_unit_test(treatments_go_together_by_name),
		cmocka_unit_test(a_renamed_treatment_keeps_its_number),
		cmocka_unit_test(above_one_is_better_whatever_the_metric),
		cmocka_unit_test(what_cannot_be_computed_has_a_reason_and_no_number),
		IN_STUDY(identities_are_found_by_a_beginning),
		IN_STUDY(a_beginning_of_two_identities_is_none),
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

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file.h"
#include "compare/options.h"
#include "compare/outputs.h"
#include "identity/same.h"
#include "compare/spec.h"
#include "compare/words.h"

/* The command line of `assay compare`: words, options, the spec made of them, and what can be said
 * of outputs and identities. */

static void
assert_words(const char *text, size_t count, const char *const *expected)
{
	struct texts words = {0};
	struct error error = {0};
	size_t i;

	assert_int_equal(words_split(text, &words, &error), 0);
	assert_int_equal(words.count, count);
	for (i = 0; i < count; i++)
		assert_string_equal(words.items[i], expected[i]);
	words_free(&words);
}

static void
words_are_those_of_a_shell(void **state)
{
	const char *const plain[] = {"prog", "-a", "b"};
	const char *const quoted[] = {"a b", "", "c\"d", "e$f|g", "h\\i", "jk l"};
	const char *const kept[] = {"awk", "{print $1}", "*.c", "~/x", "a#b"};

	(void)state;
	assert_words("  prog\t-a  b ", 3, plain);
	assert_words("'a b' '' \"c\\\"d\" 'e$f|g' \"h\\i\" j'k l'", 6, quoted);
	assert_words("awk '{print $1}' *.c ~/x a#b", 5, kept);
	assert_words(" \t", 0, NULL);
}

static void
assert_refused(const char *text, const char *why)
{
	struct texts words = {0};
	struct error error = {0};

	assert_int_equal(words_split(text, &words, &error), -1);
	assert_int_equal(error.code, EXIT_USAGE);
	if (strstr(error.message, why) == NULL)
		fail_msg("'%s' does not say '%s'", error.message, why);
	words_free(&words);
}

/* Quietly passing "|" to a program would compare something else than was asked for. */
static void
what_needs_a_shell_is_told(void **state)
{
	(void)state;
	assert_refused("a | b", "'|'");
	assert_refused("a >out", "'>'");
	assert_refused("echo $HOME", "--shell");
	assert_refused("echo \"$HOME\"", "--shell");
	assert_refused("echo `date`", "--shell");
	assert_refused("a && b", "'&'");
	assert_refused("a 'b", "closing '");
	assert_refused("a \"b", "closing \"");
	assert_refused("a \\", "backslash");
}

/* ---- options ---- */

static int
read_options(struct compare_options *options, struct error *error, size_t count,
	     const char *const *arguments)
{
	char *argv[32] = {(char *)"compare"};
	size_t i;

	memset(error, 0, sizeof *error);
	for (i = 0; i < count; i++)
		argv[i + 1] = (char *)arguments[i];
	return compare_options_read((int)count + 1, argv, options, error);
}
#define READ(options, error, ...) \
	read_options(options, error, sizeof (const char *[]){__VA_ARGS__} / sizeof(char *), \
		     (const char *[]){__VA_ARGS__})

static void
options_come_in_any_order(void **state)
{
	struct compare_options options;
	struct error error;

	(void)state;
	assert_int_equal(READ(&options, &error, "true", "--pairs", "8", "--name", "no", "false -x",
			      "--budget=2m", "--fail-if-slower", "2%", "--cpu", "2", "--json",
			      "--env", "A=b=c", "--metric", "rss"), 0);
	assert_int_equal(options.command_count, 2);
	assert_string_equal(options.commands[0].name, "true");
	assert_string_equal(options.commands[1].name, "no");
	assert_int_equal(options.commands[0].program[0], '/');
	assert_string_equal(options.commands[1].args.items[0], "-x");
	assert_int_equal(options.pairs, 8);
	assert_true(options.budget_s == 120);
	assert_true(options.fail_if_slower == 0.02);
	assert_string_equal(options.cpus, "2 cores");
	assert_string_equal(options.env.items[0].value, "b=c");
	assert_string_equal(options.metric, "max_rss_kib");
	assert_true(compare_options_export_to_stdout(&options));
	compare_options_free(&options);
}

static void
assert_names(const char *a, const char *b, const char *a_name, const char *b_name)
{
	struct compare_options options;
	struct error error;

	assert_int_equal(READ(&options, &error, a, b), 0);
	assert_string_equal(options.commands[0].name, a_name);
	assert_string_equal(options.commands[1].name, b_name);
	compare_options_free(&options);
}

static void
names_tell_the_commands_apart(void **state)
{
	(void)state;
	assert_names("true", "false", "true", "false");
	assert_names("sleep 1", "sleep 2", "sleep_1", "sleep_2");
	assert_names("/bin/true", "true x y", "bin_true", "true_x_y");
	assert_names("true", "true", "A", "B");
}

static void
assert_misused(enum exit_code code, const char *why, size_t count, const char *const *arguments)
{
	struct compare_options options;
	struct error error;

	assert_int_equal(read_options(&options, &error, count, arguments), -1);
	if (error.code != code || strstr(error.message, why) == NULL)
		fail_msg("code %d, '%s' does not say '%s'", error.code, error.message, why);
	compare_options_free(&options);
}
#define MISUSED(code, why, ...) \
	assert_misused(code, why, sizeof (const char *[]){__VA_ARGS__} / sizeof(char *), \
		       (const char *[]){__VA_ARGS__})

static void
wrong_command_lines_say_what_is_wrong(void **state)
{
	(void)state;
	MISUSED(EXIT_USAGE, "two commands", "true");
	MISUSED(EXIT_USAGE, "whole number", "true", "false", "--pairs", "1.5");
	MISUSED(EXIT_USAGE, "such as 30s", "true", "false", "--budget", "fast");
	MISUSED(EXIT_USAGE, "such as 30s", "true", "false", "--timeout", "0");
	MISUSED(EXIT_USAGE, "such as 2%", "true", "false", "--fail-if-slower", "much");
	MISUSED(EXIT_USAGE, "above 0", "true", "false", "--until", "0");
	MISUSED(EXIT_USAGE, "wall, user, sys, rss, or a Lua pattern", "true", "false", "--metric", "speed");
	MISUSED(EXIT_USAGE, "lacks its ')'", "true", "false", "--metric", "speed: ([%d.]+");
	MISUSED(EXIT_USAGE, "no ( ) around", "true", "false", "--metric", "speed%(");
	MISUSED(EXIT_USAGE, "higher or lower", "true", "false", "--metric", "x (%d)", "--better", "more");
	MISUSED(EXIT_USAGE, "lower is better", "true", "false", "--better", "higher");
	MISUSED(EXIT_USAGE, "google-benchmark", "true", "false", "--reader", "catch2");
	MISUSED(EXIT_USAGE, "--items needs", "true", "false", "--items", "BM_.*");
	MISUSED(EXIT_USAGE, "no extended regular", "true", "false", "--reader", "google-benchmark", "--items", "(");
	MISUSED(EXIT_USAGE, "do not go together", "true", "false", "--reader", "google-benchmark", "--metric", "x (%d)");
	MISUSED(EXIT_USAGE, "--shell", "true", "false", "--reader", "google-benchmark", "--shell");
	MISUSED(EXIT_USAGE, "number of cores", "true", "false", "--cpu", "0");
	MISUSED(EXIT_USAGE, "same --name", "--name", "x", "true", "--name", "x", "false");
	MISUSED(EXIT_USAGE, "before no command", "true", "false", "--name", "x");
	MISUSED(EXIT_USAGE, "letters, digits", "true", "--name", "a b", "false");
	MISUSED(EXIT_USAGE, "NAME=VALUE", "true", "false", "--sweep", "n");
	MISUSED(EXIT_USAGE, "not in the program", "true", "prog{n} x", "--sweep", "n=1");
	MISUSED(EXIT_USAGE, "only one of", "true", "false", "--json", "--csv");
	MISUSED(EXIT_BAD_INPUT, "in PATH", "true", "surely-not-there x");
	MISUSED(EXIT_BAD_INPUT, "there is no program", "true", "./surely-not-there");
	MISUSED(EXIT_BAD_INPUT, "is no program", "true", "/");
	MISUSED(EXIT_BAD_INPUT, "no input", "true", "false", "--input", "surely-not-there");
}

/* A path with blanks, as a file manager drops it, is one word. */
static void
a_path_with_blanks_is_one_command(void **state)
{
	char folder[] = "/tmp/assay compare ü XXXXXX", program[sizeof folder + 8];
	struct compare_options options;
	struct error error;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(program, sizeof program, "%s/p q", folder);
	assert_int_equal(file_write(program, "#!/bin/sh\n", 10, FILE_EXECUTABLE, &error), 0);
	assert_int_equal(READ(&options, &error, "true", program), 0);
	assert_string_equal(options.commands[1].program, program);
	assert_int_equal(options.commands[1].args.count, 0);
	compare_options_free(&options);
	file_remove_tree(folder, NULL);
}

/* ---- the spec ---- */

static void
assert_in_spec(const char *needle, size_t count, const char *const *arguments)
{
	struct compare_options options;
	struct error error;
	struct buffer spec = BUFFER_EMPTY;

	assert_int_equal(read_options(&options, &error, count, arguments), 0);
	compare_spec_experiment(&options, false, &spec);
	if (strstr(buffer_text(&spec), needle) == NULL)
		fail_msg("no %s in\n%s", needle, buffer_text(&spec));
	buffer_free(&spec);
	compare_options_free(&options);
}
#define IN_SPEC(needle, ...) \
	assert_in_spec(needle, sizeof (const char *[]){__VA_ARGS__} / sizeof(char *), \
		       (const char *[]){__VA_ARGS__})

/* Only {NAME} of the sweep means something; all other braces reach the program as they are. */
static void
only_names_of_the_sweep_are_filled_in(void **state)
{
	(void)state;
	IN_SPEC("{ \"{n}\", \"{{m}}\", \"{{print}}\" }", "true", "false {n} {m} '{print}'", "--sweep",
		"n=1,2");
	IN_SPEC("{ \"{{n}}\" }", "true", "false {n}");
	IN_SPEC("{ \"n\", { 1, \"007\", \"x\", -2, \"1.50\" } }", "true", "false", "--sweep",
		"n=1,007,x,-2,1.50");
	IN_SPEC("{ \"a\\\"\\\\\\x0a\" }", "true", "false 'a\"\\\n'");
}

static void
options_reach_the_design(void **state)
{
	(void)state;
	IN_SPEC("pairs = 16, aa_pairs = 4, warmups = 1, timeout = 300", "true", "false");
	IN_SPEC("until_ci = 0.01", "true", "false", "--until", "1%");
	IN_SPEC("max_pairs = 200", "true", "false", "--until", "1%");
	IN_SPEC("budget = 30", "true", "false", "--budget", "30s");
	IN_SPEC("metrics = { \"max_rss_kib\", \"wall_us\"", "true", "false", "--metric", "rss");
	IN_SPEC("prepare = { \"sh\", \"-c\", \"a | b\" }", "true", "false", "--prepare", "a | b",
		"--shell");
	IN_SPEC("ignore_exit = true", "true", "false", "--ignore-failure");
}

/* ---- outputs ---- */

struct print {
	int treatment;
	const char *text;
};

static enum outputs_finding
look(size_t count, const struct print *prints, char **detail)
{
	struct record records[8] = {{0}};
	struct store_session session = {.records = records, .record_count = count};
	struct store_case store = {.sessions = &session, .session_count = 1};
	struct plan_treatment treatments[2] = {{.name = (char *)"a"}, {.name = (char *)"b"}};
	struct plan plan = {.treatments = treatments, .treatment_count = 2};
	size_t i;

	for (i = 0; i < count; i++) {
		records[i].treatment = prints[i].treatment;
		records[i].status = (char *)(prints[i].text != NULL ? "ok" : "failed");
		records[i].stdout_bytes = (char *)prints[i].text;
		records[i].stdout_length = prints[i].text != NULL ? strlen(prints[i].text) : 0;
	}
	return outputs_look(&store, &plan, detail);
}
#define LOOK(detail, ...) \
	look(sizeof (struct print[]){__VA_ARGS__} / sizeof(struct print), \
	     (struct print[]){__VA_ARGS__}, detail)

/* Treatment 2 is A', the copy of a. */
static void
outputs_that_stay_the_same_are_compared(void **state)
{
	char *detail;

	(void)state;
	assert_int_equal(LOOK(&detail, {0, "x"}, {1, "x"}, {0, "x"}), OUTPUTS_TOO_FEW);
	assert_int_equal(LOOK(&detail, {0, "x"}, {1, "x"}, {2, "x"}, {1, "x"}), OUTPUTS_EQUAL);
	assert_int_equal(LOOK(&detail, {0, ""}, {1, ""}, {0, ""}, {1, ""}, {1, NULL}), OUTPUTS_EQUAL);
	assert_int_equal(LOOK(&detail, {0, "x\ny\n"}, {1, "x\nz\n"}, {0, "x\ny\n"}, {1, "x\nz\n"}),
			 OUTPUTS_DIFFER);
	assert_non_null(strstr(detail, "line 2 is \"y\" against \"z\""));
	free(detail);
	assert_int_equal(LOOK(&detail, {0, "1"}, {1, "2"}, {0, "1"}, {1, "3"}), OUTPUTS_VARY);
	assert_non_null(strstr(detail, "what b prints changes"));
	free(detail);
	assert_int_equal(LOOK(&detail, {0, "x"}, {1, "xy"}, {0, "x"}, {1, "xy"}), OUTPUTS_DIFFER);
	assert_non_null(strstr(detail, "\"x\" against \"xy\""));
	free(detail);
}

static void
identical_commands_are_known_by_their_identity(void **state)
{
	static const char same[] = "identity = 1\ntreatment 0 argument 1 = x\ntreatment 0 program = 12\n"
				   "treatment 1 argument 1 = x\ntreatment 1 program = 12\n";
	static const char other[] = "treatment 0 argument 1 = x\ntreatment 0 program = 12\n"
				    "treatment 1 argument 1 = y\ntreatment 1 program = 12\n";

	(void)state;
	assert_true(same_treatments(same, 0, 1));
	assert_false(same_treatments(other, 0, 1));
	assert_false(same_treatments("identity = 1\n", 0, 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_those_of_a_shell),
		cmocka_unit_test(what_needs_a_shell_is_told),
		cmocka_unit_test(options_come_in_any_order),
		cmocka_unit_test(names_tell_the_commands_apart),
		cmocka_unit_test(wrong_command_lines_say_what_is_wrong),
		cmocka_unit_test(a_path_with_blanks_is_one_command),
		cmocka_unit_test(only_names_of_the_sweep_are_filled_in),
		cmocka_unit_test(options_reach_the_design),
		cmocka_unit_test(outputs_that_stay_the_same_are_compared),
		cmocka_unit_test(identical_commands_are_known_by_their_identity),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

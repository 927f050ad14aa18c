/*
 * Results that come from elsewhere than the rest of their study: what stats.json says of them, and
 * the report.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/judge/origins.h"
#include "base/json.h"
#include "base/memory.h"
#include "report/methods.h"

#define MACHINE "cpu microcode = 0x1\ncpu model = Planted 9000\nmachine id = 0123\n"
#define REGIME "kernel = 6.1\nsmt = on\n"

/* Adds a case with one session. */
static void
add_case(json_t *cases, const char *case_id, const char *commit, bool dirty, const char *machine,
	 const char *regime)
{
	char *started = memory_format("2026-12-01T08:%02zu:00Z", json_object_size(cases));

	json_object_set_new(cases, case_id,
			    json_pack("{s:s, s:[{s:i, s:s, s:s, s:b}], s:{s:s, s:s}, s:[]}", "case_id",
				      case_id, "sessions", "session", 1, "started", started, "commit",
				      commit, "dirty", dirty, "surroundings", "machine", machine,
				      "regime", regime, "warnings"));
	free(started);
}

/* Three alike, to which a test adds an odd one. */
static json_t *
three_alike(void)
{
	json_t *cases = json_object();

	add_case(cases, "one", "c0ffee", false, MACHINE, REGIME);
	add_case(cases, "two", "c0ffee", false, MACHINE, REGIME);
	add_case(cases, "three", "c0ffee", false, MACHINE, REGIME);
	return cases;
}

static const json_t *
session_of(const json_t *cases, const char *case_id)
{
	return json_array_get(json_object_get(json_object_get(cases, case_id), "sessions"), 0);
}

static const json_t *
warning_of(const json_t *cases, const char *case_id)
{
	return json_array_get(json_object_get(json_object_get(cases, case_id), "warnings"), 0);
}

/* "3 1 0 0 0": sessions, of another commit, dirty, cases of another machine, of another regime. */
static void
assert_counts(const json_t *origins, const char *expected)
{
	char *counts = memory_format("%lld %lld %lld %lld %lld",
				     json_get_integer(origins, "sessions", -1),
				     json_get_integer(origins, "other_commit", -1),
				     json_get_integer(origins, "dirty", -1),
				     json_get_integer(origins, "other_machine", -1),
				     json_get_integer(origins, "other_regime", -1));

	assert_string_equal(counts, expected);
	free(counts);
}

/* The last part of the report. */
static char *
told(json_t *origins)
{
	struct report report = {.stats = json_pack("{s:O, s:{s:s}}", "origins", origins, "machine", "model",
						   "Planted 9000")};
	struct buffer out = BUFFER_EMPTY;

	methods_put_measured(&report, &out);
	json_decref(report.stats);
	return buffer_detach(&out);
}

static void
assert_told(json_t *origins, const char *sentence)
{
	char *text = told(origins);

	if (strstr(text, sentence) == NULL)
		fail_msg("no '%s' in: %s", sentence, text);
	free(text);
}

static void
all_alike_say_nothing(void **state)
{
	json_t *cases = three_alike(), *origins = origins_judge(cases);
	char *text = told(origins);

	(void)state;
	assert_counts(origins, "3 0 0 0 0");
	assert_null(json_object_get(session_of(cases, "one"), "differs"));
	assert_null(warning_of(cases, "one"));
	assert_non_null(strstr(text, "commit c0ffee. The raw records"));
	free(text);
	json_decref(origins);
	json_decref(cases);
}

static void
another_commit_is_marked(void **state)
{
	json_t *cases = three_alike(), *origins;

	(void)state;
	add_case(cases, "odd", "bad", false, MACHINE, REGIME);
	origins = origins_judge(cases);
	assert_counts(origins, "4 1 0 0 0");
	assert_string_equal(json_get_text(origins, "commit"), "c0ffee");
	assert_int_equal(json_array_size(json_object_get(session_of(cases, "odd"), "differs")), 1);
	assert_null(json_object_get(session_of(cases, "one"), "differs"));
	assert_null(warning_of(cases, "odd")); /* its program is the same, says its identity */
	assert_told(origins, "1 of 4 sessions was measured at another commit than the rest");
	json_decref(origins);
	json_decref(cases);
}

static void
changed_trees_are_counted(void **state)
{
	json_t *cases = three_alike(), *origins;

	(void)state;
	add_case(cases, "odd", "c0ffee", true, MACHINE, REGIME);
	origins = origins_judge(cases);
	assert_counts(origins, "4 0 1 0 0");
	assert_told(origins, "commit c0ffee. 1 of 4 sessions was measured with local changes (dirty).");
	json_decref(origins);
	json_decref(cases);
}

static void
another_machine_is_warned_of(void **state)
{
	json_t *cases = three_alike(), *origins;

	(void)state;
	add_case(cases, "odd", "c0ffee", false,
		 "cpu microcode = 0x2\ncpu model = Planted 9000\nmachine id = 0123\n", REGIME);
	origins = origins_judge(cases);
	assert_counts(origins, "4 0 0 1 0");
	assert_string_equal(json_get_text(warning_of(cases, "odd"), "code"), "other_machine");
	assert_string_equal(json_get_text(warning_of(cases, "odd"), "text"),
			    "measured on another machine than most cases of this study: cpu microcode: "
			    "0x1 -> 0x2");
	assert_null(warning_of(cases, "one"));
	assert_told(origins, "1 case was measured on another machine than the rest");
	json_decref(origins);
	json_decref(cases);
}

static void
another_regime_is_warned_of(void **state)
{
	json_t *cases = three_alike(), *origins;

	(void)state;
	add_case(cases, "odd", "c0ffee", false, MACHINE, "kernel = 6.1\nsmt = off\n");
	add_case(cases, "odder", "c0ffee", false, MACHINE, "kernel = 6.2\nsmt = off\n");
	origins = origins_judge(cases);
	assert_counts(origins, "5 0 0 0 2");
	assert_string_equal(json_get_text(warning_of(cases, "odd"), "code"), "other_regime");
	assert_non_null(strstr(json_get_text(warning_of(cases, "odd"), "text"), ": smt: on -> off"));
	assert_non_null(strstr(json_get_text(warning_of(cases, "odder"), "text"),
			       ": kernel: 6.1 -> 6.2; smt: on -> off"));
	assert_int_equal((int)json_get_number(warning_of(cases, "odder"), "value"), 2);
	assert_told(origins, "2 cases were measured in another state of the machine than the rest");
	json_decref(origins);
	json_decref(cases);
}

/* Half here and half there: the rest is what was measured last. */
static void
in_a_tie_the_newest_is_usual(void **state)
{
	json_t *cases = json_object(), *origins;

	(void)state;
	add_case(cases, "old", "bad", false, MACHINE, REGIME);
	add_case(cases, "new", "c0ffee", false, MACHINE, REGIME);
	origins = origins_judge(cases);
	assert_string_equal(json_get_text(origins, "commit"), "c0ffee");
	assert_non_null(json_object_get(session_of(cases, "old"), "differs"));
	json_decref(origins);
	json_decref(cases);
}

/* What is no result needs no mark. */
static void
invalid_sessions_and_unmeasured_cases_do_not_count(void **state)
{
	json_t *cases = three_alike(), *origins;

	(void)state;
	add_case(cases, "odd", "bad", true, MACHINE, REGIME);
	json_object_set_new((json_t *)session_of(cases, "odd"), "invalid", json_true());
	json_object_set_new(cases, "never", json_pack("{s:[], s:[], s:{s:s, s:s}}", "sessions", "warnings",
						      "surroundings", "machine", MACHINE, "regime", ""));
	origins = origins_judge(cases);
	assert_counts(origins, "3 0 0 0 0");
	assert_null(json_object_get(session_of(cases, "odd"), "differs"));
	json_decref(origins);
	json_decref(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_alike_say_nothing),
		cmocka_unit_test(another_commit_is_marked),
		cmocka_unit_test(changed_trees_are_counted),
		cmocka_unit_test(another_machine_is_warned_of),
		cmocka_unit_test(another_regime_is_warned_of),
		cmocka_unit_test(in_a_tie_the_newest_is_usual),
		cmocka_unit_test(invalid_sessions_and_unmeasured_cases_do_not_count),
	};

	return cmocka_run_group_tests_name("origins", tests, NULL, NULL);
}

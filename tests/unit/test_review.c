/*
 * What `assay reanalyse` and `assay reproduce` compare, without a bundle: files, facts about
 * machines, effects and claims, and how much a smoke run measures.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "review/difference.h"
#include "review/facts.h"
#include "review/measuring.h"
#include "review/verdicts.h"

static json_t *
parse(const char *text)
{
	json_error_t problem;
	json_t *value = json_loads(text, JSON_DECODE_ANY, &problem);

	if (value == NULL)
		fail_msg("%s: %s", problem.text, text);
	return value;
}

/* ---- files ---- */

static void
put(const char *path, const char *text)
{
	struct error error = {0};

	if (file_write(path, text, strlen(text), 0, &error) != 0)
		fail_msg("%s", error.message);
}

static void
test_first_difference_is_named_by_its_line(void **state)
{
	struct buffer a = BUFFER_EMPTY, b = BUFFER_EMPTY;
	char *left, *right;
	size_t line;

	(void)state;
	buffer_puts(&a, "one\ntwo 2.5\nthree\n");
	buffer_puts(&b, "one\ntwo 2.6\nthree\n");
	assert_true(difference_first(&a, &b, &line, &left, &right));
	assert_int_equal(line, 2);
	assert_string_equal(left, "two 2.5");
	assert_string_equal(right, "two 2.6");
	free(left);
	free(right);
	assert_false(difference_first(&a, &a, &line, &left, &right));
	buffer_clear(&b);
	buffer_puts(&b, "one\n");
	assert_true(difference_first(&a, &b, &line, &left, &right));
	assert_int_equal(line, 2);
	assert_string_equal(right, "(the file ends here)");
	free(left);
	free(right);
	buffer_free(&a);
	buffer_free(&b);
}

static void
test_folders_are_compared_file_by_file(void **state)
{
	static const enum difference_kind expected[] = {DIFFERENCE_NOT_SHIPPED, DIFFERENCE_CONTENT,
							DIFFERENCE_NONE, DIFFERENCE_NOT_MADE};
	static const char *const names[] = {"new", "x/other", "x/same", "x/y/gone"};
	char folder[] = "/tmp/assay-review-XXXXXX";
	struct differences all;
	size_t i;

	(void)state;
	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		fail_msg("no folder");
	put("there/x/same", "1\n");
	put("here/x/same", "1\n");
	put("there/x/other", "1\n");
	put("here/x/other", "2\n");
	put("there/x/y/gone", "1\n");
	put("here/new", "1\n");
	differences_find("there", "here", &all);
	assert_int_equal(all.count, 4);
	for (i = 0; i < 4; i++) {
		assert_string_equal(all.items[i].name, names[i]);
		assert_int_equal(all.items[i].kind, expected[i]);
	}
	differences_free(&all);
	if (chdir("/") != 0)
		fail();
	file_remove_tree(folder, NULL);
}

/* ---- facts ---- */

static void
test_main_facts_come_first_and_of_others_what_differs(void **state)
{
	static const char *const main_facts[] = {"cpu.model", "none", NULL};
	json_t *there = parse("{\"started\": \"x\", \"cpu\": {\"model\": \"A\", \"cores\": 2, \"mhz_now\": \"1\", "
			      "\"boost\": {\"unavailable\": \"why\"}}, \"aslr\": 2}");
	json_t *here = parse("{\"started\": \"y\", \"cpu\": {\"model\": \"A\", \"cores\": 4, \"mhz_now\": \"2\", "
			     "\"boost\": \"1\"}, \"aslr\": 2}");
	json_t *a = facts_of_provenance(there), *b = facts_of_provenance(here);
	json_t *list = facts_compare(a, b, main_facts);

	(void)state;
	assert_int_equal(json_array_size(list), 3);
	assert_string_equal(json_get_text(json_array_get(list, 0), "name"), "cpu.model");
	assert_true(json_is_true(json_object_get(json_array_get(list, 0), "same")));
	assert_string_equal(json_get_text(json_array_get(list, 1), "name"), "cpu.boost");
	assert_true(json_is_null(json_object_get(json_array_get(list, 1), "there")));
	assert_string_equal(json_get_text(json_array_get(list, 2), "name"), "cpu.cores");
	assert_string_equal(json_get_text(json_array_get(list, 2), "here"), "4");
	json_decref(list);
	json_decref(a);
	json_decref(b);
	json_decref(there);
	json_decref(here);
}

static void
test_long_lists_of_words_are_cut_to_what_differs(void **state)
{
	static const char *const none[] = {NULL};
	char *words = memory_format("flags = %0100d sse avx\n", 7), *others = memory_format("flags = %0100d sse avx2\n", 7);
	json_t *a = facts_of_lines(words), *b = facts_of_lines(others), *list = facts_compare(a, b, none);

	(void)state;
	assert_int_equal(json_array_size(list), 1);
	assert_string_equal(json_get_text(json_array_get(list, 0), "there"), "only there: avx");
	assert_string_equal(json_get_text(json_array_get(list, 0), "here"), "only here: avx2");
	json_decref(list);
	json_decref(a);
	json_decref(b);
	free(words);
	free(others);
}

/* ---- effects and claims ---- */

#define STATS(speedup, lo, hi, verdict)                                                             \
	"{\"cases\": {\"K\": {\"case_id\": \"K\", \"experiment\": \"e\", \"point_text\": \"\", \"metrics\": "  \
	"[{\"name\": \"wall_us\", \"items\": [{\"item\": \"\", \"comparisons\": [{\"a_name\": \"a\", "          \
	"\"b_name\": \"b\", \"pairs\": 8, \"verdict\": \"x\", \"speedup\": " speedup ", \"speedup_lo\": " lo    \
	", \"speedup_hi\": " hi "}]}]}]}}, \"claims\": [{\"id\": \"C1\", \"experiment\": \"e\", \"text\": "      \
	"\"b is faster\", \"reason\": \"\", \"verdict\": \"" verdict "\"}]}"

static void
check_relation(const char *there_text, const char *here_text, const char *relation)
{
	json_t *there = parse(there_text), *here = parse(here_text);
	json_t *effects = verdicts_effects(there, here);

	assert_int_equal(json_array_size(effects), 1);
	assert_string_equal(json_get_text(json_array_get(effects, 0), "relation"), relation);
	json_decref(effects);
	json_decref(there);
	json_decref(here);
}

static void
test_effects_are_related_by_their_intervals(void **state)
{
	(void)state;
	check_relation(STATS("2", "1.9", "2.1", "open"), STATS("2.1", "2.05", "2.2", "open"), "agree");
	check_relation(STATS("2", "1.9", "2.1", "open"), STATS("3", "2.9", "3.1", "open"), "same direction");
	check_relation(STATS("2", "1.9", "2.1", "open"), STATS("0.9", "0.8", "0.95", "open"), "differ");
	check_relation(STATS("2", "1.9", "2.1", "open"), STATS("1.2", "0.9", "1.4", "open"), "differ");
	check_relation(STATS("2", "null", "null", "open"), STATS("2", "1.9", "2.1", "open"), "unknown");
	check_relation("{\"cases\": {}}", STATS("2", "1.9", "2.1", "open"), "unknown");
}

static void
check_outcome(const char *there_verdict, const char *here_verdict, const char *outcome, const char *summary)
{
	char *there_text = memory_format("{\"claims\": [{\"id\": \"C1\", \"verdict\": \"%s\"}]}", there_verdict);
	char *here_text = memory_format("{\"cases\": {\"K\": {}}, \"claims\": [{\"id\": \"C1\", \"verdict\": \"%s\"}]}",
					here_verdict);
	json_t *there = parse(there_text), *here = parse(here_text), *none = json_array();
	json_t *study = parse("{\"experiments\": [{\"claims\": [{\"id\": \"C1\", \"cases\": [\"K\"]}]}]}");
	json_t *claims = verdicts_claims(study, there, here, none);

	assert_string_equal(json_get_text(json_array_get(claims, 0), "outcome"), outcome);
	assert_string_equal(verdicts_summary(claims, none), summary);
	json_decref(claims);
	json_decref(study);
	json_decref(none);
	json_decref(there);
	json_decref(here);
	free(there_text);
	free(here_text);
}

static void
test_a_claim_flips_when_it_is_settled_otherwise(void **state)
{
	(void)state;
	check_outcome("supported", "supported", "holds", "reproduced");
	check_outcome("refuted", "refuted", "holds", "reproduced");
	check_outcome("supported", "refuted", "flips", "not reproduced");
	check_outcome("refuted", "supported", "flips", "not reproduced");
	check_outcome("supported", "invalid", "flips", "not reproduced");
	check_outcome("supported", "open", "undecided", "undecided");
	check_outcome("open", "refuted", "settled here", "undecided");
	check_outcome("open", "open", "open", "undecided");
	check_outcome("invalid", "supported", "invalid there", "undecided");
}

static void
test_claims_about_what_was_not_measured_say_so(void **state)
{
	json_t *study = parse("{\"experiments\": [{\"claims\": [{\"id\": \"C1\", \"cases\": [\"K\"]}, {\"id\": \"C2\", "
			      "\"cases\": [\"L\"]}]}]}");
	json_t *there = parse("{\"claims\": [{\"id\": \"C1\", \"verdict\": \"supported\"}, {\"id\": \"C2\", "
			      "\"verdict\": \"supported\"}]}");
	json_t *here = parse("{\"cases\": {}, \"claims\": [{\"id\": \"C1\", \"verdict\": \"open\"}, {\"id\": \"C2\", "
			     "\"verdict\": \"open\"}]}");
	json_t *missing = parse("[{\"case_id\": \"K\", \"reason\": \"no time\"}]");
	json_t *claims = verdicts_claims(study, there, here, missing);

	(void)state;
	assert_string_equal(json_get_text(json_array_get(claims, 0), "outcome"), "not measured");
	assert_string_equal(json_get_text(json_array_get(claims, 0), "reason"), "no time");
	assert_true(json_is_null(json_object_get(json_array_get(claims, 0), "here")));
	assert_string_equal(json_get_text(json_array_get(claims, 1), "outcome"), "not asked for");
	json_decref(claims);
	json_decref(study);
	json_decref(there);
	json_decref(here);
	json_decref(missing);
}

static void
test_one_claim_that_holds_and_one_that_flips_is_partly(void **state)
{
	json_t *claims = parse("[{\"outcome\": \"holds\"}, {\"outcome\": \"flips\"}]");
	json_t *asked = parse("[{\"outcome\": \"holds\"}, {\"outcome\": \"not asked for\"}]");
	json_t *effects = parse("[{\"relation\": \"differ\"}]"), *none = json_array();

	(void)state;
	assert_string_equal(verdicts_summary(claims, effects), "partly reproduced");
	assert_string_equal(verdicts_summary(asked, effects), "reproduced");
	assert_string_equal(verdicts_summary(none, effects), "not reproduced");
	json_decref(claims);
	json_decref(asked);
	json_decref(effects);
	json_decref(none);
}

/* ---- how much a smoke run measures ---- */

/* Cases of two treatments whose groups take `seconds`. */
static struct measuring
plan_smoke(size_t count, double seconds, struct side *side, struct side_case cases[])
{
	static struct plan_treatment treatments[2];
	static double times[8][3];
	struct measuring measuring;
	size_t i;

	memset(side, 0, sizeof *side);
	memset(cases, 0, count * sizeof *cases);
	side->cases = cases;
	side->count = count;
	for (i = 0; i < count; i++) {
		cases[i].plan.treatments = treatments;
		cases[i].plan.treatment_count = 2;
		cases[i].plan.design.pairs = 16;
		cases[i].plan.design.aa_pairs = 4;
		cases[i].plan.design.warmups = 1;
		times[i][0] = times[i][1] = times[i][2] = seconds;
		cases[i].times.group_s = times[i];
		cases[i].times.count = 3;
	}
	measuring_plan(side, true, &measuring);
	return measuring;
}

static void
test_a_smoke_run_fits_its_time(void **state)
{
	struct side_case cases[8];
	struct side side;
	struct measuring measuring = plan_smoke(2, 0.01, &side, cases);

	(void)state;
	assert_int_equal(measuring.cases[0].pairs, 12);
	assert_int_equal(measuring.cases[0].aa_pairs, 2);
	assert_true(measuring.expected_s < 1);
	measuring_free(&measuring);
	measuring = plan_smoke(2, 2, &side, cases);
	assert_int_equal(measuring.cases[0].pairs, 4);
	assert_true(measuring.expected_s <= 60);
	measuring_free(&measuring);
	measuring = plan_smoke(8, 3, &side, cases);
	assert_int_equal(measuring.cases[0].pairs, 2);
	assert_false(measuring.cases[0].skipped);
	assert_true(measuring.cases[7].skipped);
	assert_true(measuring.expected_s <= 60);
	measuring_free(&measuring);
}

static void
test_a_smoke_run_never_measures_more_than_was_planned(void **state)
{
	struct side_case cases[1];
	struct side side;
	struct measuring measuring = plan_smoke(1, 0.01, &side, cases);

	(void)state;
	measuring_free(&measuring);
	cases[0].plan.design.pairs = 4;
	cases[0].plan.design.aa_pairs = 0;
	cases[0].times.group_s = NULL; /* never measured there */
	cases[0].times.count = 0;
	measuring_plan(&side, true, &measuring);
	assert_int_equal(measuring.cases[0].pairs, 4);
	assert_int_equal(measuring.cases[0].aa_pairs, 0);
	assert_true(measuring.expected_s > 0);
	measuring_free(&measuring);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_difference_is_named_by_its_line),
		cmocka_unit_test(test_folders_are_compared_file_by_file),
		cmocka_unit_test(test_main_facts_come_first_and_of_others_what_differs),
		cmocka_unit_test(test_long_lists_of_words_are_cut_to_what_differs),
		cmocka_unit_test(test_effects_are_related_by_their_intervals),
		cmocka_unit_test(test_a_claim_flips_when_it_is_settled_otherwise),
		cmocka_unit_test(test_claims_about_what_was_not_measured_say_so),
		cmocka_unit_test(test_one_claim_that_holds_and_one_that_flips_is_partly),
		cmocka_unit_test(test_a_smoke_run_fits_its_time),
		cmocka_unit_test(test_a_smoke_run_never_measures_more_than_was_planned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

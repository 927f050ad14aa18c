/* What was measured before: `assay log` and `assay diff`, on stores made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "history/across.h"
#include "history/change.h"
#include "history/past.h"
#include "identity/identity.h"
#include "history_fixture.h"
#include "tests/unit/spec_study.h"

#define ONE "0000000000000000000000000000000000000000000000000000000000000001"
#define TWO "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"

/* ---- in words ---- */

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
	history_assert_texts(list, "text", words);
	history_assert_texts(list, "kind", "machine\ninput\ndesign\nprogram\ninterpreter\nargument\nargument\ninput\n"
				   "library\nenvironment\n");
	assert_true(json_is_null(json_object_get(json_array_get(list, 4), "from")));
	assert_string_equal(json_get_text(json_array_get(list, 4), "to"), TWO);
	json_decref(list);
	list = change_list(from, from, &plan_from, &plan_to);
	assert_int_equal(json_array_size(list), 0);
	json_decref(list);
	list = change_list("treatment 1 program = x\n", "treatment 1 program = y\n", NULL, NULL);
	history_assert_texts(list, "text", "program of treatment 1: x -> y\n");
	json_decref(list);
}

static void
a_regime_that_is_not_known_is_no_equal_one(void **state)
{
	json_t *list = change_regime("a = 1\nb = 2\n", "a = 1\nb = 3\n");

	(void)state;
	history_assert_texts(list, "name", "b\n");
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
	history_assert_texts(list, "name", "b\na\n");
	assert_near(speedup(list, 0, "speedup"), 4);
	assert_true(speedup(list, 0, "speedup_lo") > 3.9 && speedup(list, 0, "speedup_hi") < 4.1);
	assert_true(speedup(list, 0, "level") >= 0.95 && speedup(list, 0, "p") < 0.001);
	assert_near(speedup(list, 1, "speedup"), 1);
	assert_true(speedup(list, 1, "p") > 0.9);
	history_assert_texts(list, "reason", "\n\n");
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
	history_assert_texts(list, "name", "x\na\nb\n");
	history_assert_texts(list, "reason", "not there before\n\nno longer there\n");
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
	history_assert_texts(list, "reason", "outputs disagree\noutputs disagree\n");
	json_decref(list);
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
	snprintf(first, sizeof first, "%s", history_store("gone-0123456789", "x = 1\n"));
	history_store("gone-0123456789", "x = 2\n");
	assert_int_equal(past_read("gone-0123456789", &past, &error), 0); /* no plan has it */
	assert_int_equal(past.count, 2);
	snprintf(prefix, sizeof prefix, "%.3s", first);
	assert_string_equal(past_find(&past, prefix, &error)->text, "x = 1\n");
	assert_not_found(&past, "current", "no current identity");
	assert_not_found(&past, "", first);
	assert_not_found(&past, "xyz", "is no identity");
	past_free(&past);
	history_make_current("gone-0123456789", "x = 3\n");
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
		history_store("many-0123456789", text);
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

int
main(void)
{
#define IN_STUDY(test) cmocka_unit_test_setup_teardown(test, history_enter, history_leave)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_line_of_an_identity_has_words),
		cmocka_unit_test(a_regime_that_is_not_known_is_no_equal_one),
		cmocka_unit_test(treatments_go_together_by_name),
		cmocka_unit_test(a_renamed_treatment_keeps_its_number),
		cmocka_unit_test(above_one_is_better_whatever_the_metric),
		cmocka_unit_test(what_cannot_be_computed_has_a_reason_and_no_number),
		IN_STUDY(identities_are_found_by_a_beginning),
		IN_STUDY(a_beginning_of_two_identities_is_none),
	};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}

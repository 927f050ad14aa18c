/* What a kernel is said to wait for, from what perturbing it does. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/judge/watermark_document.h"
#include "analysis/watermark.h"
#include "base/json.h"

/* ---- the rule ---- */

/* A factor that is known to a tenth. */
static struct watermark_effect
near(double factor)
{
	return (struct watermark_effect){factor, 0.95 * factor, 1.05 * factor};
}

static struct watermark_effect
absent(void)
{
	return (struct watermark_effect){NAN, NAN, NAN};
}

static void
assert_says(enum watermark_resource wanted, const struct watermark_evidence *evidence)
{
	struct watermark_diagnosis diagnosis;

	watermark_decide(evidence, &diagnosis);
	assert_string_equal(watermark_resource_name(diagnosis.resource), watermark_resource_name(wanted));
	assert_true(diagnosis.why[0] != '\0');
}

static void
throughput_and_latency_are_told_apart(void **state)
{
	struct watermark_evidence e = {near(1), near(1), near(4), near(1), 0.9};

	(void)state;
	assert_says(WATERMARK_BANDWIDTH, &e);
	e.bandwidth_share = 0.1; /* a chain of loads: its traffic alone says bandwidth */
	assert_says(WATERMARK_LATENCY, &e);
	e.bandwidth_share = NAN;
	assert_says(WATERMARK_MEMORY, &e);
	e = (struct watermark_evidence){near(2), near(5), near(1), near(1), 0.1};
	assert_says(WATERMARK_ARITHMETIC, &e);
	e.arithmetic_added = near(1); /* a chain of additions: the units are idle */
	assert_says(WATERMARK_LATENCY, &e);
	e = (struct watermark_evidence){near(1), near(1), near(1), near(9), NAN};
	assert_says(WATERMARK_SYNCHRONISATION, &e);
}

static void
the_largest_gain_decides_if_it_is_clear(void **state)
{
	struct watermark_evidence e = {near(1), near(1.3), near(4), near(1.2), 0.9};

	(void)state;
	assert_says(WATERMARK_BANDWIDTH, &e);
	e.arithmetic_removed = near(3.9);
	assert_says(WATERMARK_SEVERAL, &e);
	e.arithmetic_removed = (struct watermark_effect){2, 0.9, 5}; /* may be more */
	assert_says(WATERMARK_SEVERAL, &e);
}

static void
what_is_not_clear_is_not_decided(void **state)
{
	struct watermark_evidence e = {near(1), near(1), near(1), near(1), NAN};

	(void)state;
	assert_says(WATERMARK_NONE, &e);
	e.sync_removed = absent(); /* a kernel without any */
	assert_says(WATERMARK_NONE, &e);
	e.one_element = absent();
	assert_says(WATERMARK_UNKNOWN, &e);
	e.one_element = (struct watermark_effect){1.2, 0.8, 1.9};
	assert_says(WATERMARK_UNKNOWN, &e);
	e = (struct watermark_evidence){{1.2, 0.8, 1.9}, near(5), near(1), near(1), NAN};
	assert_says(WATERMARK_UNKNOWN, &e);
	e.arithmetic_added = absent();
	assert_says(WATERMARK_UNKNOWN, &e);
	e.arithmetic_removed = (struct watermark_effect){5, NAN, NAN}; /* too few pairs */
	assert_says(WATERMARK_UNKNOWN, &e);
}

/* ---- the document ---- */

static json_t *
treatment(int index, const char *name, const char *perturbation)
{
	json_t *one = json_pack("{s:i, s:s, s:s}", "index", index, "name", name, "variant", name);

	if (perturbation != NULL)
		json_object_update_new(one, json_pack("{s:s, s:s}", "perturbs", "k", "perturbation", perturbation));
	return one;
}

static json_t *
comparison(int b, double speedup)
{
	return json_pack("{s:i, s:i, s:f, s:f, s:f}", "a", 0, "b", b, "speedup", speedup, "speedup_lo",
			 0.95 * speedup, "speedup_hi", 1.05 * speedup);
}

/* A kernel at 2 GB/s under a roof of 20, at an intensity that memory binds: factors by which the kernel is as
 * fast with more arithmetic, without arithmetic, with one element. */
static json_t *
judged(double added, double removed, double one_element)
{
	json_t *study = json_pack("{s:[{s:s, s:[o, o, o, o], s:[{s:s}]}]}", "experiments", "name", "e", "treatments",
				  treatment(0, "k", NULL), treatment(1, "k:added", "arithmetic_added"),
				  treatment(2, "k:removed", "arithmetic_removed"),
				  treatment(3, "k:one", "one_element"), "cases", "case_id", "c");
	json_t *cases = json_pack("{s:{s:[{s:[{s:[o, o, o]}]}], s:[{s:i, s:s, s:s, s:f, s:f}], s:[{s:i, s:{s:f, s:f, s:f}}]}}",
				  "c", "metrics", "items", "comparisons", comparison(1, added),
				  comparison(2, removed), comparison(3, one_element), "roofline", "treatment", 0,
				  "reason", "", "bound", "memory", "bandwidth", 20e9, "share", 0.1, "work", "treatment",
				  0, "byte_rate", "value", 2e9, "lo", 1.9e9, "hi", 2.1e9);
	json_t *found;

	watermark_judge(study, cases);
	found = json_incref(json_array_get(json_object_get(json_object_get(cases, "c"), "watermark"), 0));
	json_decref(study);
	json_decref(cases);
	return found;
}

static void
a_chain_of_loads_is_called_latency_against_its_roofline(void **state)
{
	json_t *found = judged(1, 1, 8);
	const json_t *effects = json_object_get(found, "effects");

	(void)state;
	assert_string_equal(json_get_text(found, "resource"), "latency");
	assert_true(json_is_false(json_object_get(found, "agrees")));
	assert_true(fabs(json_get_number(found, "bandwidth_share") - 0.1) < 1e-12);
	assert_non_null(strstr(json_get_text(found, "sentence"), "k is bound by latency"));
	assert_non_null(strstr(json_get_text(found, "sentence"), "the roofline says memory bandwidth: they disagree"));
	assert_int_equal(json_array_size(effects), 3);
	json_decref(found);
}

static void
more_arithmetic_is_told_as_a_loss(void **state)
{
	json_t *found = judged(0.5, 4, 1);
	const json_t *added = json_array_get(json_object_get(found, "effects"), 0);

	(void)state;
	assert_string_equal(json_get_text(found, "resource"), "arithmetic");
	assert_string_equal(json_get_text(added, "direction"), "loses");
	assert_true(fabs(json_get_number(added, "factor") - 2) < 1e-12);
	assert_true(json_get_number(added, "factor_lo") < 2 && json_get_number(added, "factor_hi") > 2);
	assert_string_equal(json_get_text(added, "effect"), "sensitive");
	json_decref(found);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(throughput_and_latency_are_told_apart),
		cmocka_unit_test(the_largest_gain_decides_if_it_is_clear),
		cmocka_unit_test(what_is_not_clear_is_not_decided),
		cmocka_unit_test(a_chain_of_loads_is_called_latency_against_its_roofline),
		cmocka_unit_test(more_arithmetic_is_told_as_a_loss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The analysis of a case and of a study, from samples.csv and study.json to verdicts. */
#include "judge_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/study.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

/* ---- one case ---- */

static void
says_faster_in_the_right_direction(void **state)
{
	struct scene scene;
	json_t *document;
	const json_t *comparison;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 10, 2000, 1000);
	document = analyse(&scene);
	comparison = comparison_of(document);
	assert_string_equal(json_get_text(comparison, "verdict"), "faster");
	assert_true(fabs(json_get_number(comparison, "speedup") - 2) < 0.01);
	assert_true(json_get_number(comparison, "speedup_lo") < json_get_number(comparison, "speedup_hi"));
	assert_true(json_get_number(comparison, "log_ratio") < 0);
	assert_int_equal(strncmp(json_get_text(comparison, "sentence"), "fast is 2.00", 12), 0);
	assert_non_null(strstr(json_get_text(comparison, "sentence"), " times as fast as plain [1.99"));
	assert_non_null(strstr(json_get_text(comparison, "sentence"), "at n=8 (noise floor"));
	assert_non_null(strstr(json_get_text(comparison, "sentence"), "10 pairs, one build)"));
	scene_end(&scene, document);
}

static void
says_slower_with_a_factor_above_one(void **state)
{
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 10, 1000, 1500);
	document = analyse(&scene);
	assert_string_equal(json_get_text(comparison_of(document), "verdict"), "slower");
	assert_int_equal(strncmp(json_get_text(comparison_of(document), "sentence"), "fast takes 1.49", 15), 0);
	assert_non_null(strstr(json_get_text(comparison_of(document), "sentence"),
			       " times as long as plain [1.49"));
	scene_end(&scene, document);
}

static void
turns_the_ratio_where_more_is_better(void **state)
{
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	scene.metric.value = (char *)"higher";
	put_pairs(&scene, 10, 1000, 3000);
	document = analyse(&scene);
	assert_string_equal(json_get_text(comparison_of(document), "verdict"), "faster");
	assert_true(fabs(json_get_number(comparison_of(document), "speedup") - 3) < 0.02);
	scene_end(&scene, document);
}

static void
a_slot_effect_cancels(void **state)
{
	struct scene scene;
	json_t *document;
	int i;

	(void)state;
	scene_begin(&scene);
	for (i = 0; i < 12; i++) { /* the second run takes 10 % longer, whichever it is */
		bool a_first = i % 2 == 0;
		double a = 1000 + i % 5, b = 1000 + i % 3;

		put_pair(&scene, "ab", i + 1, a_first, a_first ? a : 1.1 * a, a_first ? 1.1 * b : b, 1);
	}
	document = analyse(&scene);
	assert_true(fabs(json_get_number(comparison_of(document), "speedup") - 1) < 0.005);
	assert_true(fabs(json_get_number(comparison_of(document), "slot_effect") - log(1.1)) < 0.005);
	scene_end(&scene, document);
}

static void
a_wrong_result_prints_no_number(void **state)
{
	static const char *const keys[] = {"speedup", "speedup_lo", "speedup_hi", "log_ratio", "p",
					   "median_paired_speedup", "ratio_of_medians"};
	struct scene scene;
	json_t *document;
	const json_t *comparison;
	size_t i;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 10, 2000, 1000);
	scene.block++;
	put_group(&scene, "ab", 0, 11, 1, 2000, "7", "ok");
	put_group(&scene, "ab", 1, 11, 2, 1000, "8", "ok");
	document = analyse(&scene);
	comparison = comparison_of(document);
	assert_true(json_is_true(json_object_get(document, "invalid")));
	assert_string_equal(json_get_text(comparison, "verdict"), "invalid");
	assert_non_null(strstr(json_get_text(comparison, "reason"), "CHECK of plain is 7, of fast is 8"));
	for (i = 0; i < sizeof keys / sizeof *keys; i++)
		assert_true(json_is_null(json_object_get(comparison, keys[i])));
	assert_int_equal(json_array_size(json_object_get(comparison, "points")), 0);
	scene_end(&scene, document);
}

static void
too_few_pairs_give_no_verdict_and_say_so(void **state)
{
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 6, 2000, 1000);
	document = analyse(&scene);
	assert_string_equal(json_get_text(comparison_of(document), "verdict"), "inconclusive");
	assert_non_null(strstr(json_get_text(comparison_of(document), "reason"), "4 AB and 4 BA"));
	assert_true(json_is_null(json_object_get(comparison_of(document), "speedup_lo")));
	scene_end(&scene, document);
}

static void
failed_groups_are_listed_and_in_no_pair(void **state)
{
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 10, 2000, 1000);
	scene.block++;
	put_group(&scene, "ab", 0, 11, 1, 2000, "7", "ok");
	put_group(&scene, "ab", 1, 11, 2, 1000, "7", "failed");
	document = analyse(&scene);
	assert_int_equal(json_get_integer(json_object_get(document, "pairs"), "complete", 0), 11);
	assert_int_equal(json_get_integer(json_object_get(document, "pairs"), "valid", 0), 10);
	assert_int_equal(json_get_integer(comparison_of(document), "pairs", 0), 10);
	assert_true(has_warning(document, "failed_groups"));
	assert_int_equal(json_get_integer(json_object_get(document, "groups"), "standing", 0), 1);
	assert_string_equal(json_get_text(json_array_get(json_object_get(document, "failures"), 0),
					  "reason"),
			    "it crashed");
	scene_end(&scene, document);
}

static void
add_look(struct scene *scene, int pairs, const char *rule)
{
	json_array_append_new(scene->looks, json_pack("{s:s, s:i, s:s}", "at", "2026-12-01T08:00:00Z",
						      "pairs", pairs, "rule", rule));
}

static bool
is_exploratory(struct scene *scene)
{
	json_t *document = analyse(scene);
	bool exploratory = json_is_true(json_object_get(document, "exploratory"));

	assert_int_equal(has_warning(document, "exploratory"), exploratory);
	json_decref(document);
	return exploratory;
}

static void
growth_after_a_look_is_exploratory_unless_declared(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	scene.plan.design.pairs = 8;
	add_look(&scene, 10, "fixed");
	put_pairs(&scene, 10, 2000, 1000);
	assert_false(is_exploratory(&scene)); /* it has not grown */
	json_array_clear(scene.looks);
	add_look(&scene, 8, "fixed");
	assert_true(is_exploratory(&scene));
	scene.plan.design.max_pairs = 20; /* declared, but only after the look */
	assert_true(is_exploratory(&scene));
	json_array_clear(scene.looks);
	add_look(&scene, 8, "max_pairs=20");
	assert_false(is_exploratory(&scene));
	scene.plan.design.max_pairs = 30; /* and was changed after it */
	assert_true(is_exploratory(&scene));
	scene.plan.design.max_pairs = 9;
	json_array_clear(scene.looks);
	add_look(&scene, 8, "max_pairs=9"); /* kept, and measured past it */
	assert_true(is_exploratory(&scene));
	scene_end(&scene, NULL);
}

/* ---- the level belongs to the stop rule ---- */

static double
confidence_of(struct scene *scene)
{
	json_t *document = analyse(scene);
	double confidence = json_get_number(comparison_of(document), "confidence");

	json_decref(document);
	return confidence;
}

static void
a_growing_case_reports_at_the_level_of_its_rule(void **state)
{
	struct scene scene;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 20, 2000, 1000);
	assert_true(fabs(confidence_of(&scene) - 0.95) < 1e-12);
	scene.plan.design.stop = STOP_UNTIL_CI;
	scene.plan.design.until_ci = 0.01;
	scene.plan.design.max_pairs = 60;
	assert_true(fabs(confidence_of(&scene) - 0.96) < 1e-12);
	/* STATISTICS.md, five looks: nominal .00079 at the second, .0423 at the last */
	scene.plan.design.stop = STOP_LOOKS;
	scene.plan.design.looks = 5;
	scene.plan.design.max_pairs = 50;
	assert_true(fabs(1 - confidence_of(&scene) - 0.00079) < 5e-6);
	scene.plan.design.max_pairs = 20;
	assert_true(fabs(1 - confidence_of(&scene) - 0.0423) < 5e-5);
	scene_end(&scene, NULL);
}

/* max_pairs alone: by hand, so the looks that happened share the 5 %. */
static void
looks_before_an_extension_by_hand_cost_level(void **state)
{
	struct scene scene;
	double first, unseen, seen;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 16, 2000, 1000);
	scene.plan.design.max_pairs = 24;
	first = confidence_of(&scene); /* alpha log(1 + (e - 1) 16/24) = 0.0381 */
	assert_true(fabs(1 - first - 0.05 * log(1 + (exp(1) - 1) * 16 / 24)) < 1e-6);
	scene.plan.design.max_pairs = 16;
	unseen = confidence_of(&scene);
	assert_true(fabs(unseen - 0.95) < 1e-6);
	add_look(&scene, 10, "max_pairs=16");
	seen = confidence_of(&scene);
	assert_true(seen > 0.96 && seen < 0.98);
	scene_end(&scene, NULL);
}

static void
an_inconclusive_comparison_tells_the_pairs_for_the_declared_effect(void **state)
{
	struct scene scene;
	json_t *document;
	double needed;
	int i;

	(void)state;
	scene_begin(&scene);
	for (i = 0; i < 16; i++) /* +-3 % of noise and no effect */
		put_pair(&scene, "ab", i + 1, i % 2 == 0, 1000, 1000 + 30 * (i / 2 % 3 - 1), 1);
	document = analyse(&scene);
	assert_null(strstr(json_get_text(comparison_of(document), "reason"), "declared effect"));
	json_decref(document);
	scene.plan.design.effect = 0.01;
	document = analyse(&scene);
	needed = json_get_number(comparison_of(document), "pairs_needed");
	assert_true(needed > 30 && needed < 80);
	assert_non_null(strstr(json_get_text(comparison_of(document), "reason"),
			       "the declared effect of 1 % takes"));
	scene_end(&scene, document);
}

static void
the_articles_numbers_are_the_signed_differences(void **state)
{
	struct scene scene;
	json_t *document;
	const json_t *item, *aa;

	(void)state;
	scene_begin(&scene);
	put_pair(&scene, "aa", 1, true, 1000, 1010, 2);  /* first 1000, second 1010: +0.01 */
	put_pair(&scene, "aa", 2, false, 1000, 1020, 2); /* first 1020, second 1000: -0.0196… */
	put_pairs(&scene, 10, 2000, 1000);
	document = analyse(&scene);
	item = json_array_get(
		json_object_get(json_array_get(json_object_get(document, "metrics"), 0), "items"), 0);
	aa = json_object_get(item, "aa");
	assert_true(fabs(json_number_value(json_array_get(json_object_get(aa, "differences"), 0)) - 0.01) <
		    1e-12);
	assert_true(fabs(json_number_value(json_array_get(json_object_get(aa, "differences"), 1)) +
			 20.0 / 1020) < 1e-12);
	assert_true(fabs(json_get_number(aa, "median_abs_difference") - (0.01 + 20.0 / 1020) / 2) < 1e-12);
	scene_end(&scene, document);
}

/* ---- the study ---- */

static json_t *
study_of(const char *claims)
{
	json_t *study = json_pack(
		"{s:[{s:s, s:[{s:s, s:s, s:s}], s:[{s:s}], s:o}]}", "experiments", "name", "e", "metrics",
		"name", "wall_us", "unit", "us", "scope", "compute", "cases", "case_id", "c", "claims",
		json_loads(claims, 0, NULL));

	assert_non_null(study);
	return study;
}

static json_t *
judge(json_t *document, const char *claims)
{
	char *path = memory_format("%s/c.json", scene_folder);
	json_t *study = study_of(claims), *judged;
	struct error error = {0};

	assert_int_equal(json_write_file(path, document, 0, &error), 0);
	judged = study_document(study, scene_folder, &error);
	assert_non_null(judged);
	json_decref(study);
	free(path);
	return judged;
}

/* Measured partly in another state of the machine: no number, and the report says why. */
static void
mixed_regimes_are_no_result(void **state)
{
	struct scene scene;
	json_t *document, *judged;
	const json_t *problem;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 10, 1000, 500);
	scene.regime_problem = "3 of 10 blocks … (smt: on -> off)";
	document = analyse(&scene);
	assert_true(json_is_true(json_object_get(document, "invalid")));
	assert_string_equal(json_get_text(comparison_of(document), "verdict"), "invalid");
	judged = judge(document, "[]");
	problem = json_array_get(json_object_get(judged, "problems"), 0);
	assert_string_equal(json_get_text(problem, "text"), scene.regime_problem);
	assert_int_equal(json_get_integer(judged, "exit_code", 0), EXIT_NOT_HELD);
	json_decref(judged);
	scene_end(&scene, document);
}

static const char *
claim_verdict_of(const json_t *judged, size_t index)
{
	return json_get_text(json_array_get(json_object_get(judged, "claims"), index), "verdict");
}

static void
claims_are_supported_refuted_or_open(void **state)
{
	struct scene scene;
	json_t *document, *judged;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 16, 2000, 1000);
	document = analyse(&scene);
	judged = judge(document,
		       "[{\"id\":\"C1\",\"kind\":\"faster\",\"a\":\"plain\",\"b\":\"fast\",\"by\":1.5,"
		       "\"text\":\"t\",\"cases\":[\"c\"]},"
		       "{\"id\":\"C2\",\"kind\":\"faster\",\"a\":\"fast\",\"b\":\"plain\",\"text\":\"t\","
		       "\"cases\":[\"c\"]},"
		       "{\"id\":\"C3\",\"kind\":\"equivalent\",\"a\":\"plain\",\"b\":\"fast\","
		       "\"within\":0.02,\"text\":\"t\",\"cases\":[\"c\"]},"
		       "{\"id\":\"C4\",\"kind\":\"faster\",\"a\":\"plain\",\"b\":\"fast\",\"by\":2.0,"
		       "\"text\":\"t\",\"cases\":[\"c\"]}]");
	assert_string_equal(claim_verdict_of(judged, 0), "supported");
	assert_string_equal(claim_verdict_of(judged, 1), "refuted");
	assert_string_equal(claim_verdict_of(judged, 2), "refuted");
	assert_string_equal(claim_verdict_of(judged, 3), "open");
	assert_int_equal(json_get_integer(judged, "exit_code", -1), EXIT_NOT_HELD);
	json_decref(judged);
	scene_end(&scene, document);
}

/* 8 pairs have a 97.1 % interval at best: one claim can be settled, two cannot. */
static void
holm_makes_claims_pay_for_each_other(void **state)
{
	struct scene scene;
	json_t *document, *judged;
	const char *one = "[{\"id\":\"C1\",\"kind\":\"faster\",\"a\":\"plain\",\"b\":\"fast\",\"text\":\"t\","
			  "\"cases\":[\"c\"]}]";
	const char *two = "[{\"id\":\"C1\",\"kind\":\"faster\",\"a\":\"plain\",\"b\":\"fast\",\"text\":\"t\","
			  "\"cases\":[\"c\"]},"
			  "{\"id\":\"C2\",\"kind\":\"different\",\"a\":\"plain\",\"b\":\"fast\",\"text\":\"t\","
			  "\"cases\":[\"c\"]}]";

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 8, 2000, 1000);
	document = analyse(&scene);
	judged = judge(document, one);
	assert_string_equal(claim_verdict_of(judged, 0), "supported");
	json_decref(judged);
	judged = judge(document, two);
	assert_string_equal(claim_verdict_of(judged, 0), "open");
	assert_string_equal(claim_verdict_of(judged, 1), "open");
	assert_non_null(strstr(json_get_text(json_array_get(json_object_get(judged, "claims"), 0), "reason"),
			       "beside the study's other claims (Holm)"));
	assert_int_equal(json_get_integer(judged, "exit_code", -1), EXIT_DONE);
	json_decref(judged);
	scene_end(&scene, document);
}

/* Half the time: it differs by 1.9 and not by 2.1; whichever of the two is the faster one. */
static void
a_claimed_difference_has_a_factor(void **state)
{
	static const char claims[] =
		"[{\"id\":\"C1\",\"kind\":\"different\",\"a\":\"plain\",\"b\":\"fast\",\"by\":1.9,\"text\":\"t\","
		"\"cases\":[\"c\"]},"
		"{\"id\":\"C2\",\"kind\":\"different\",\"a\":\"plain\",\"b\":\"fast\",\"by\":2.1,\"text\":\"t\","
		"\"cases\":[\"c\"]},"
		"{\"id\":\"C3\",\"kind\":\"different\",\"a\":\"plain\",\"b\":\"fast\",\"text\":\"t\","
		"\"cases\":[\"c\"]}]";
	int turned;

	(void)state;
	for (turned = 0; turned < 2; turned++) {
		struct scene scene;
		json_t *document, *judged;

		scene_begin(&scene);
		put_pairs(&scene, 16, turned ? 1000 : 2000, turned ? 2000 : 1000);
		document = analyse(&scene);
		judged = judge(document, claims);
		assert_string_equal(claim_verdict_of(judged, 0), "supported");
		assert_string_equal(claim_verdict_of(judged, 1), "refuted");
		assert_string_equal(claim_verdict_of(judged, 2), "supported");
		json_decref(judged);
		scene_end(&scene, document);
	}
}

/* 2/C(9, 4) = 0.0159: below 5 %/3, but above the 4 %/3 that until_ci leaves. */
static void
claims_have_no_more_to_spend_than_the_stop_rule(void **state)
{
	const char *three = "[{\"id\":\"C1\",\"kind\":\"faster\",\"a\":\"plain\",\"b\":\"fast\",\"text\":\"t\","
			    "\"cases\":[\"c\"]},"
			    "{\"id\":\"C2\",\"kind\":\"different\",\"a\":\"plain\",\"b\":\"fast\",\"text\":\"t\","
			    "\"cases\":[\"c\"]},"
			    "{\"id\":\"C3\",\"kind\":\"not_slower\",\"a\":\"plain\",\"b\":\"fast\",\"text\":\"t\","
			    "\"cases\":[\"c\"]}]";
	struct scene scene;
	json_t *document, *judged;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 9, 2000, 1000);
	document = analyse(&scene);
	judged = judge(document, three);
	assert_string_equal(claim_verdict_of(judged, 0), "supported");
	json_decref(judged);
	json_decref(document);
	scene.plan.design.stop = STOP_UNTIL_CI;
	scene.plan.design.until_ci = 0.1;
	scene.plan.design.max_pairs = 40;
	document = analyse(&scene);
	judged = judge(document, three);
	assert_string_equal(claim_verdict_of(judged, 0), "open");
	json_decref(judged);
	scene_end(&scene, document);
}

static void
a_label_bias_caps_verdicts_and_claims(void **state)
{
	struct scene scene;
	json_t *document, *judged;
	const json_t *capped;
	int i;

	(void)state;
	scene_begin(&scene);
	for (i = 0; i < 12; i++)
		put_pair(&scene, "aa", i + 1, i % 2 == 0, 1000 + i % 5, 1050 + i % 3, 2);
	put_pairs(&scene, 16, 2000, 1000);
	document = analyse(&scene);
	assert_string_equal(json_get_text(comparison_of(document), "verdict"), "faster");
	judged = judge(document,
		       "[{\"id\":\"C1\",\"kind\":\"faster\",\"a\":\"plain\",\"b\":\"fast\",\"text\":\"t\","
		       "\"cases\":[\"c\"]}]");
	capped = comparison_of(json_object_get(json_object_get(judged, "cases"), "c"));
	assert_string_equal(json_get_text(capped, "verdict"), "inconclusive");
	assert_non_null(strstr(json_get_text(capped, "sentence"), "the A/A' control favours a label"));
	assert_string_equal(claim_verdict_of(judged, 0), "open");
	json_decref(judged);
	scene_end(&scene, document);
}

static void
an_invalid_case_fails_the_study(void **state)
{
	struct scene scene;
	json_t *document, *judged;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 10, 2000, 1000);
	scene.block++;
	put_group(&scene, "ab", 0, 11, 1, 2000, "7", "ok");
	put_group(&scene, "ab", 1, 11, 2, 1000, "8", "ok");
	document = analyse(&scene);
	judged = judge(document,
		       "[{\"id\":\"C1\",\"kind\":\"faster\",\"a\":\"plain\",\"b\":\"fast\",\"text\":\"t\","
		       "\"cases\":[\"c\"]}]");
	assert_string_equal(claim_verdict_of(judged, 0), "invalid");
	assert_int_equal(json_get_integer(judged, "exit_code", -1), EXIT_NOT_HELD);
	json_decref(judged);
	scene_end(&scene, document);
}

static void
a_case_without_records_measures_nothing(void **state)
{
	struct scene scene;
	json_t *document, *judged;

	(void)state;
	scene_begin(&scene);
	document = analyse(&scene);
	judged = judge(document, "[]");
	assert_int_equal(json_get_integer(judged, "exit_code", -1), EXIT_NOTHING);
	json_decref(judged);
	scene_end(&scene, document);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_faster_in_the_right_direction),
		cmocka_unit_test(says_slower_with_a_factor_above_one),
		cmocka_unit_test(turns_the_ratio_where_more_is_better),
		cmocka_unit_test(a_slot_effect_cancels),
		cmocka_unit_test(a_wrong_result_prints_no_number),
		cmocka_unit_test(too_few_pairs_give_no_verdict_and_say_so),
		cmocka_unit_test(failed_groups_are_listed_and_in_no_pair),
		cmocka_unit_test(growth_after_a_look_is_exploratory_unless_declared),
		cmocka_unit_test(a_growing_case_reports_at_the_level_of_its_rule),
		cmocka_unit_test(looks_before_an_extension_by_hand_cost_level),
		cmocka_unit_test(an_inconclusive_comparison_tells_the_pairs_for_the_declared_effect),
		cmocka_unit_test(the_articles_numbers_are_the_signed_differences),
		cmocka_unit_test(claims_are_supported_refuted_or_open),
		cmocka_unit_test(holm_makes_claims_pay_for_each_other),
		cmocka_unit_test(a_claimed_difference_has_a_factor),
		cmocka_unit_test(claims_have_no_more_to_spend_than_the_stop_rule),
		cmocka_unit_test(a_label_bias_caps_verdicts_and_claims),
		cmocka_unit_test(mixed_regimes_are_no_result),
		cmocka_unit_test(an_invalid_case_fails_the_study),
		cmocka_unit_test(a_case_without_records_measures_nothing),
	};

	return cmocka_run_group_tests(tests, scene_make_folder, scene_remove_folder);
}

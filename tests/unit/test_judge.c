/* The analysis of a case and of a study, from samples.csv and study.json to verdicts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/judge/case.h"
#include "analysis/judge/study.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"

/* ---- a measured case, written by hand ---- */

struct scene {
	struct plan plan;
	struct plan_treatment treatments[2];
	struct comparison comparison;
	struct setting metric;
	struct buffer csv;
	int order, block;
	json_t *looks;
};

static char folder[] = "/tmp/assay-judge-XXXXXX";

static void
scene_begin(struct scene *scene)
{
	memset(scene, 0, sizeof *scene);
	scene->treatments[0].name = scene->treatments[0].variant = (char *)"plain";
	scene->treatments[1].name = scene->treatments[1].variant = (char *)"fast";
	scene->comparison = (struct comparison){0, 1};
	scene->metric = (struct setting){(char *)"wall_us", (char *)"lower"};
	scene->plan.case_id = (char *)"c";
	scene->plan.experiment = (char *)"e";
	scene->plan.point = json_pack("{s:i}", "n", 8);
	scene->plan.treatments = scene->treatments;
	scene->plan.treatment_count = 2;
	scene->plan.comparisons = &scene->comparison;
	scene->plan.comparison_count = 1;
	scene->plan.metrics = (struct settings){&scene->metric, 1};
	scene->plan.primary = (char *)"wall_us";
	scene->plan.check.equal = true;
	scene->plan.design.pairs = 10;
	scene->looks = json_array();
	buffer_puts(&scene->csv,
		    "run_id,session,case_id,experiment,item,treatment,variant,phase,block,pair,order,slot,"
		    "attempt,sample,started_ns,cpu,status,reason,used,wall_us,cpu_us,check,"
		    "stdout_sha256\n");
}

static void
put_group(struct scene *scene, const char *phase, int treatment, int pair, int slot, double value,
	  const char *check, const char *status)
{
	static const char *const names[] = {"plain", "fast", "plain'"};
	int sample;

	scene->order++;
	for (sample = 1; sample <= 3; sample++)
		buffer_printf(&scene->csv, "r%d,1,c,e,,%d,%s,%s,%d,%d,%d,%d,1,%d,%d000000000,1,%s,%s,1,%.17g,%.17g,%s,\n",
			      scene->order, treatment, names[treatment], phase, scene->block, pair,
			      scene->order, slot, sample, scene->order, status,
			      strcmp(status, "ok") == 0 ? "" : "it crashed", value + sample - 2,
			      value + sample - 2, check);
}

static void
put_pair(struct scene *scene, const char *phase, int pair, bool a_first, double a, double b, int other)
{
	scene->block++;
	put_group(scene, phase, a_first ? 0 : other, pair, 1, a_first ? a : b, "7", "ok");
	put_group(scene, phase, a_first ? other : 0, pair, 2, a_first ? b : a, "7", "ok");
}

/* `count` pairs, AB and BA in turn, with a small spread that is no noise at all. */
static void
put_pairs(struct scene *scene, int count, double a, double b)
{
	int i;

	for (i = 0; i < count; i++)
		put_pair(scene, "ab", i + 1, i % 2 == 0, a + i % 5, b + i % 3, 1);
}

static json_t *
analyse(struct scene *scene)
{
	char *path = memory_format("%s/samples.csv", folder);
	struct case_options options = {COLLAPSE_MEDIAN, 0.95};
	struct observations observations;
	struct error error = {0};
	json_t *sessions = json_array(), *document;
	struct case_input input = {.plan = &scene->plan, .observations = &observations,
				   .identity = "abc", .point_text = "n=8", .sessions = sessions,
				   .looks = scene->looks};

	assert_int_equal(file_write(path, scene->csv.bytes, scene->csv.length, 0, &error), 0);
	assert_int_equal(observations_read(path, &observations, &error), 0);
	document = case_document(&input, &options);
	observations_free(&observations);
	json_decref(sessions);
	free(path);
	return document;
}

static void
scene_end(struct scene *scene, json_t *document)
{
	json_decref(document);
	json_decref(scene->plan.point);
	json_decref(scene->looks);
	buffer_free(&scene->csv);
}

static const json_t *
comparison_of(const json_t *document)
{
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0);
	const json_t *item = json_array_get(json_object_get(metric, "items"), 0);

	return json_array_get(json_object_get(item, "comparisons"), 0);
}

static bool
has_warning(const json_t *document, const char *code)
{
	const json_t *warning;
	size_t i;

	json_array_foreach(json_object_get(document, "warnings"), i, warning)
		if (strcmp(json_get_text(warning, "code"), code) == 0)
			return true;
	return false;
}

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
	assert_string_equal(json_get_text(json_array_get(json_object_get(document, "failures"), 0),
					  "reason"),
			    "it crashed");
	scene_end(&scene, document);
}

static void
growth_after_a_look_is_exploratory_unless_declared(void **state)
{
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	json_array_append_new(scene.looks,
			      json_pack("{s:s, s:i, s:s}", "at", "", "pairs", 8, "rule", "fixed"));
	put_pairs(&scene, 10, 2000, 1000);
	document = analyse(&scene);
	assert_true(json_is_true(json_object_get(document, "exploratory")));
	assert_true(has_warning(document, "exploratory"));
	json_decref(document);
	scene.plan.design.max_pairs = 20;
	document = analyse(&scene);
	assert_false(json_is_true(json_object_get(document, "exploratory")));
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
	char *path = memory_format("%s/c.json", folder);
	json_t *study = study_of(claims), *judged;
	struct error error = {0};

	assert_int_equal(json_write_file(path, document, 0, &error), 0);
	judged = study_document(study, folder, &error);
	assert_non_null(judged);
	json_decref(study);
	free(path);
	return judged;
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
	assert_int_equal(json_get_integer(judged, "exit_code", -1), EXIT_DONE);
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

static int
make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) != NULL ? 0 : -1;
}

static int
remove_folder(void **state)
{
	(void)state;
	return file_remove_tree(folder, NULL);
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
		cmocka_unit_test(the_articles_numbers_are_the_signed_differences),
		cmocka_unit_test(claims_are_supported_refuted_or_open),
		cmocka_unit_test(holm_makes_claims_pay_for_each_other),
		cmocka_unit_test(a_label_bias_caps_verdicts_and_claims),
		cmocka_unit_test(an_invalid_case_fails_the_study),
		cmocka_unit_test(a_case_without_records_measures_nothing),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

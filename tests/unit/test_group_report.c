/* The group report: each number of it by hand, what it finds wrong, and when there is none. */
#include "judge_scene.h"

#include <math.h>
#include <string.h>

#include "analysis/judge/group_document.h"
#include "analysis/judge/group_work.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "report/group_text.h"

static const double cpu_share = 0.98;

/* One process whose samples are those given, with CPU time that is a little less. */
static void
put_process(struct scene *scene, int treatment, int block, int slot, const double *us, int count)
{
	double cpu[8];
	int i;

	for (i = 0; i < count; i++)
		cpu[i] = cpu_share * us[i];
	put_samples(scene, "ab", treatment, block, slot, us, cpu, count, "7", "ok");
}

/* `count` blocks; the samples of plain are 100, 102, 104 times `scale[block]` and a spike. */
static void
put_blocks(struct scene *scene, const double *scale, int count)
{
	int i;

	for (i = 0; i < count; i++) {
		const double plain[] = {100 * scale[i], 102 * scale[i], 104 * scale[i], 200 * scale[i]};
		const double fast[] = {50, 51, 52, 53};

		scene->block++;
		put_process(scene, i % 2, i + 1, 1, i % 2 == 0 ? plain : fast, 4);
		put_process(scene, (i + 1) % 2, i + 1, 2, i % 2 == 0 ? fast : plain, 4);
	}
}

static void
ask(struct scene *scene)
{
	static char statistic[] = "mean";

	scene->plan.group_report = (struct group_report){
		.wanted = true, .statistic = statistic, .trim = 1.2, .tolerance = 0.05};
}

/* The document of so many blocks; scene_end. */
static json_t *
analyse_blocks(struct scene *scene, const double *scale, int count)
{
	scene_begin(scene);
	ask(scene);
	put_blocks(scene, scale, count);
	return analyse(scene);
}

static const json_t *
table_of(const json_t *document, size_t treatment)
{
	const json_t *report = json_object_get(document, "group_report");

	assert_true(json_is_object(report));
	return json_array_get(json_object_get(report, "treatments"), treatment);
}

static const json_t *
group_of(const json_t *table, size_t group)
{
	return json_array_get(json_object_get(table, "groups"), group - 1);
}

static void
is(const json_t *object, const char *key, double expected)
{
	double value = json_get_number(object, key);

	if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%s is %.17g, not %.17g", key, value, expected);
}

static void
each_number_is_that_of_the_definition(void **state)
{
	const double scale[] = {2, 1, 1.02, 1, 0.99};
	const json_t *table, *group, *overall;
	struct scene scene;
	json_t *document;
	double pooled = 102 * (1 + 1.02 + 1 + 0.99) / 4, sum = 0, x;
	int i, k;

	(void)state;
	document = analyse_blocks(&scene, scale, 5);
	table = table_of(document, 0);
	assert_int_equal(json_array_size(json_object_get(table, "groups")), 5);
	group = group_of(table, 1); /* listed, trimmed, and left out of the rest */
	assert_int_equal(json_get_integer(group, "kept", 0), 3);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(group, "left_out"), 0)), 4);
	is(group, "mean", 204);
	assert_true(json_is_null(json_object_get(group, "vs_overall")));
	group = group_of(table, 3);
	is(group, "mean", 102 * 1.02);
	is(group, "median", 102 * 1.02);
	is(group, "geomean", 1.02 * cbrt(100.0 * 102 * 104));
	is(group, "spread", 4 * 1.02);
	is(group, "sd", 2 * 1.02);
	is(group, "cpu_over_wall", cpu_share);
	is(group, "vs_overall", 102 * 1.02 / pooled - 1);
	is(group, "vs_before", 102 * 0.02 / pooled);
	assert_true(json_is_null(json_object_get(group_of(table, 2), "vs_before")));
	overall = json_object_get(table, "overall");
	assert_int_equal(json_get_integer(overall, "kept", 0), 12);
	is(overall, "mean", pooled);
	for (i = 1; i < 5; i++)
		for (k = 0; k < 3; k++) {
			x = (100 + 2 * k) * scale[i] - pooled;
			sum += x * x;
		}
	is(overall, "sd", sqrt(sum / 11));
	is(overall, "max_deviation", 104 * 1.02 - pooled);
	is(overall, "cpu_over_wall", cpu_share);
	assert_string_equal(json_get_text(table, "check"), "PASS");
	assert_int_equal(json_get_integer(table_of(document, 1), "treatment", -1), 1);
	is(json_object_get(table_of(document, 1), "overall"), "mean", 51.5); /* nothing to trim */
	scene_end(&scene, document);
}

static void
a_group_that_differs_is_named(void **state)
{
	const double scale[] = {1, 1, 1, 1.2, 1};
	const json_t *warning, *table;
	struct buffer text = BUFFER_EMPTY;
	struct scene scene;
	json_t *document;

	(void)state;
	document = analyse_blocks(&scene, scale, 5);
	table = table_of(document, 0);
	assert_string_equal(json_get_text(table, "check"), "FAIL");
	assert_true(json_is_true(json_object_get(group_of(table, 4), "flagged")));
	assert_false(json_is_true(json_object_get(group_of(table, 2), "flagged")));
	assert_true(json_is_true(json_object_get(group_of(table, 5), "flagged"))); /* from the one before */
	assert_string_equal(json_get_text(table_of(document, 1), "check"), "PASS");
	warning = find_warning(document, "groups_disagree");
	assert_non_null(warning);
	assert_non_null(strstr(json_get_text(warning, "text"), "plain: group 4, 5"));
	is(warning, "value", 20.0 / 105);
	group_text_put(json_object_get(document, "group_report"), &text);
	assert_non_null(strstr(buffer_text(&text), "check by the mean, within 5 %: FAIL: group 4 (+14.29 % from all), "
						    "group 5 (-19.05 % from the one before)"));
	assert_true(group_text_fails(json_object_get(document, "group_report")));
	buffer_free(&text);
	scene_end(&scene, document);
}

static void
the_tolerance_and_the_first_block_can_be_set(void **state)
{
	const double scale[] = {1.5, 1, 1, 1.2, 1};
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	ask(&scene);
	scene.plan.group_report.tolerance = 0.2;
	put_blocks(&scene, scale, 5);
	document = analyse(&scene);
	assert_string_equal(json_get_text(table_of(document, 0), "check"), "PASS");
	assert_int_equal(json_get_integer(table_of(document, 0), "first", 0), 2);
	json_decref(document);
	scene.plan.group_report.counts_first = true;
	document = analyse(&scene);
	assert_string_equal(json_get_text(table_of(document, 0), "check"), "FAIL");
	assert_int_equal(json_get_integer(table_of(document, 0), "first", 0), 1);
	assert_int_equal(json_get_integer(json_object_get(table_of(document, 0), "overall"), "kept", 0), 15);
	scene_end(&scene, document);
}

/* Five blocks describe: a ratio of the overall means, and that there is no verdict. */
static void
few_blocks_give_ratios_and_no_verdict(void **state)
{
	const double scale[] = {1, 1, 1, 1, 1, 1, 1, 1};
	const json_t *report, *ratio;
	struct buffer text = BUFFER_EMPTY;
	struct scene scene;
	json_t *document;

	(void)state;
	document = analyse_blocks(&scene, scale, 5);
	report = json_object_get(document, "group_report");
	ratio = json_array_get(json_object_get(report, "ratios"), 0);
	assert_string_equal(json_get_text(ratio, "b_name"), "fast");
	is(ratio, "speedup", 102 / 51.5);
	group_text_put(report, &text);
	assert_non_null(strstr(buffer_text(&text), "5 blocks describe and give no verdict: a 95 % interval needs"));
	buffer_clear(&text);
	group_markdown_put(report, &text);
	assert_non_null(strstr(buffer_text(&text), "5 blocks describe and give no verdict"));
	buffer_free(&text);
	scene_end(&scene, document);
	document = analyse_blocks(&scene, scale, 8);
	assert_string_equal(json_get_text(json_object_get(document, "group_report"), "no_verdict"), "");
	scene_end(&scene, document);
}

static void
there_is_none_where_nobody_asks_or_nothing_is_valid(void **state)
{
	const double scale[] = {1, 1, 1, 1, 1};
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	put_blocks(&scene, scale, 5);
	document = analyse(&scene);
	assert_null(json_object_get(document, "group_report"));
	json_decref(document);
	ask(&scene);
	scene.block++;
	put_group(&scene, "ab", 0, 6, 1, 100, "8", "ok"); /* another CHECK */
	put_group(&scene, "ab", 1, 6, 2, 50, "7", "ok");
	document = analyse(&scene);
	assert_true(json_is_true(json_object_get(document, "invalid")));
	assert_null(json_object_get(document, "group_report"));
	scene_end(&scene, document);
}

/* ---- the work ---- */

/* What group_work says of samples, each "len,iters,wall_us,flops". */
static json_t *
work_of(const struct plan_treatment *treatment, const char *const *samples, size_t count)
{
	char *path = memory_format("%s/work.csv", scene_folder);
	struct buffer csv = BUFFER_EMPTY;
	struct observations all;
	struct error error = {0};
	size_t rows[8], i;
	json_t *work;

	buffer_puts(&csv, "run_id,session,case_id,experiment,item,treatment,variant,phase,block,pair,order,slot,"
			  "attempt,sample,started_ns,cpu,status,reason,used,check,stdout_sha256,cfg_len,cfg_iters,"
			  "wall_us,flops\n");
	for (i = 0; i < count; i++) {
		buffer_printf(&csv, "r,1,c,e,,0,a,ab,1,1,1,1,1,%zu,1,1,ok,,1,7,,%s\n", i + 1, samples[i]);
		rows[i] = i;
	}
	assert_int_equal(file_write(path, csv.bytes, csv.length, 0, &error), 0);
	assert_int_equal(observations_read(path, &all, &error), 0);
	work = group_work(treatment, &all, rows, count);
	observations_free(&all);
	buffer_free(&csv);
	free(path);
	return work;
}

static void
check_work(const struct plan_treatment *treatment, const char *first, const char *second,
	   const char *expected, const char *reason)
{
	const char *const samples[] = {first, second};
	json_t *work = work_of(treatment, samples, 2);

	if (strcmp(json_get_text(work, "check"), expected) != 0 ||
	    strstr(json_get_text(work, "reason"), reason) == NULL)
		fail_msg("%s, %s: %s (%s)", first, second, json_get_text(work, "check"),
			 json_get_text(work, "reason"));
	json_decref(work);
}

/* 1000 elements, 5 passes, 2 operations each: 10^4 in a sample, 10^9 a second in 10 us. */
static void
flops_are_held_against_time_and_cfg(void **state)
{
	struct plan_treatment any = {.expect_len = -1, .expect_iters = -1};
	struct plan_treatment asked = {.expect_len = 1000, .expect_iters = 5, .expect_flops = 2};
	const char *const lowered[] = {"1000,1,10,2e8"};
	json_t *work;

	(void)state;
	check_work(&any, "1000,5,10,1e9", "1000,5,20,5e8", "PASS", "");
	check_work(&asked, "1000,5,10,1e9", "1000,5,20,5e8", "PASS", "");
	check_work(&any, "1000,5,10,1e9", "1000,5,20,1e9", "FAIL", "2 to 4 operations an element");
	check_work(&asked, "1000,5,10,5e8", "1000,5,20,25e7", "FAIL", "1 operations an element, not the 2");
	check_work(&asked, "1000,4,10,8e8", "1000,4,20,4e8", "FAIL", "CFG says 1000 x 4, asked for was 1000 x 5");
	check_work(&any, "1000,5,10,1e9", "500,5,10,5e8", "FAIL", "not the same in all groups");
	check_work(&asked, "1000,5,10,0", "1000,5,20,0", "not told", "");
	check_work(&asked, ",,10,1e9", ",,20,5e8", "not told", "");
	asked.lowers_scale = true;
	work = work_of(&asked, lowered, 1);
	assert_string_equal(json_get_text(work, "check"), "PASS");
	assert_true(json_is_true(json_object_get(work, "lowered")));
	is(work, "iters", 1);
	is(work, "per_element", 2);
	json_decref(work);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_number_is_that_of_the_definition),
		cmocka_unit_test(a_group_that_differs_is_named),
		cmocka_unit_test(the_tolerance_and_the_first_block_can_be_set),
		cmocka_unit_test(few_blocks_give_ratios_and_no_verdict),
		cmocka_unit_test(there_is_none_where_nobody_asks_or_nothing_is_valid),
		cmocka_unit_test(flops_are_held_against_time_and_cfg),
	};

	return cmocka_run_group_tests(tests, scene_make_folder, scene_remove_folder);
}

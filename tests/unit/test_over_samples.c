#include "judge_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

/* The samples of a treatment as one pool: its mean and spread, and its rates. */

static const json_t *
pool_of(const json_t *document, size_t treatment)
{
	const json_t *metric = json_array_get(json_object_get(document, "metrics"), 0);
	const json_t *item = json_array_get(json_object_get(metric, "items"), 0);

	return json_object_get(json_array_get(json_object_get(item, "treatments"), treatment), "over_samples");
}

static bool
is_near(double value, double expected)
{
	return fabs(value - expected) <= 1e-12 * fabs(expected);
}

static void
put_sample(struct scene *scene, const char *phase, int treatment, int used, double wall_us, double cpu_us,
	   double flops)
{
	buffer_printf(&scene->csv, "r%d,1,c,e,,%d,x,%s,1,1,%d,%d,1,1,%d000000000,1,ok,,%d,%.17g,%.17g,%.17g,7,\n",
		      scene->order, treatment, phase, scene->order, treatment + 1, scene->order, used, wall_us,
		      cpu_us, flops);
}

static void
begin(struct scene *scene)
{
	scene_begin(scene);
	buffer_clear(&scene->csv);
	buffer_puts(&scene->csv,
		    "run_id,session,case_id,experiment,item,treatment,variant,phase,block,pair,order,slot,"
		    "attempt,sample,started_ns,cpu,status,reason,used,wall_us,cpu_us,flops,check,"
		    "stdout_sha256\n");
}

/* Each sample of `plain` is 1e6 operations; the last of its first group is trimmed. */
static json_t *
measured(struct scene *scene)
{
	begin(scene);
	scene->order = 1;
	put_sample(scene, "ab", 0, 1, 100, 50, 1e10);
	put_sample(scene, "ab", 0, 1, 110, 50, 1e6 / 110e-6);
	put_sample(scene, "ab", 0, 1, 150, 50, 1e6 / 150e-6);
	scene->order = 2;
	put_sample(scene, "ab", 1, 1, 40, 40, 0);
	put_sample(scene, "ab", 1, 1, 60, 40, 0);
	scene->order = 3;
	put_sample(scene, "ab", 0, 0, 9000, 50, 1e10);
	scene->order = 4;
	put_sample(scene, "warmup", 0, 1, 9000, 50, 1e10);
	return analyse(scene);
}

static void
pools_what_counts_after_the_trim(void **state)
{
	struct scene scene;
	json_t *document = measured(&scene);
	const json_t *plain = pool_of(document, 0), *fast = pool_of(document, 1);

	(void)state;
	assert_int_equal(json_get_integer(plain, "kept", 0), 2);
	assert_int_equal(json_get_integer(plain, "trimmed", 0), 1);
	assert_true(is_near(json_get_number(plain, "mean"), 105));
	assert_true(is_near(json_get_number(plain, "sd"), sqrt(50)));
	assert_int_equal(json_get_integer(fast, "kept", 0), 2);
	assert_true(is_near(json_get_number(fast, "mean"), 50));
	scene_end(&scene, document);
}

/* Work over time weighs long samples more than the mean of the rates does. */
static void
tells_work_over_time_from_the_mean_of_rates(void **state)
{
	struct scene scene;
	json_t *document = measured(&scene);
	const json_t *rate = json_object_get(pool_of(document, 0), "rate");

	(void)state;
	assert_true(is_near(json_get_number(rate, "work"), 2e6));
	assert_true(is_near(json_get_number(rate, "seconds"), 210e-6));
	assert_true(is_near(json_get_number(rate, "work_over_time"), 2e6 / 210e-6));
	assert_true(is_near(json_get_number(rate, "mean"), (1e10 + 1e6 / 110e-6) / 2));
	assert_true(json_is_null(json_object_get(pool_of(document, 1), "rate")));
	scene_end(&scene, document);
}

static void
rates_follow_the_metric(void **state)
{
	struct scene scene;
	json_t *document;
	const json_t *rate;

	(void)state;
	begin(&scene);
	scene.metric.name = (char *)"cpu_us";
	scene.plan.primary = (char *)"cpu_us";
	scene.order = 1;
	put_sample(&scene, "ab", 0, 1, 100, 50, 1e10);
	scene.order = 2;
	put_sample(&scene, "ab", 1, 1, 100, 50, 1e10);
	document = analyse(&scene);
	rate = json_object_get(pool_of(document, 0), "rate");
	assert_true(is_near(json_get_number(rate, "work_over_time"), 2e10));
	assert_true(json_is_null(json_object_get(rate, "sd")));
	scene_end(&scene, document);
}

static void
who_does_not_say_its_work_has_no_rate(void **state)
{
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	put_pairs(&scene, 2, 100, 50);
	document = analyse(&scene); /* no flops column */
	assert_true(json_is_null(json_object_get(pool_of(document, 0), "rate")));
	assert_int_equal(json_get_integer(pool_of(document, 0), "kept", 0), 6);
	scene_end(&scene, document);
}

/* As the group report has it: by its trim, and without what is only listed. */
static void
a_group_report_says_what_is_in_the_pool(void **state)
{
	struct scene scene;
	json_t *document;

	(void)state;
	begin(&scene);
	scene.plan.group_report = (struct group_report){.wanted = true, .statistic = (char *)"mean",
							.trim = 1.5, .tolerance = 0.05};
	scene.order = 1;
	put_sample(&scene, "ab", 0, 1, 900, 50, 1e10);
	scene.order = 2;
	put_sample(&scene, "ab", 0, 1, 100, 50, 1e10);
	put_sample(&scene, "ab", 0, 1, 110, 50, 1e10);
	put_sample(&scene, "ab", 0, 1, 150, 50, 1e10);
	scene.order = 3;
	put_sample(&scene, "ab", 1, 1, 100, 50, 1e10);
	document = analyse(&scene);
	assert_int_equal(json_get_integer(pool_of(document, 0), "kept", 0), 3);
	assert_true(is_near(json_get_number(pool_of(document, 0), "mean"), 120));
	scene_end(&scene, document);
}

/* ---- divided by the work, and less work ---- */

static void
put_worked(struct scene *scene, int pair, int treatment, double wall_us, int iters)
{
	buffer_printf(&scene->csv, "r%d,1,c,e,,%d,x,ab,%d,%d,%d,%d,1,1,%d000000000,1,ok,,1,%.17g,%.17g,%.17g,7,,"
		      "1000,%d,%.17g\n", scene->order, treatment, pair, pair, scene->order,
		      2 - scene->order % 2, scene->order, wall_us, wall_us, 1e9, iters, wall_us / (1000.0 * iters));
	scene->order++;
}

/* `fast` does 1 of 10 passes in a fifth of the time. */
static json_t *
lowered(struct scene *scene, char *metric)
{
	int pair;

	scene_begin(scene);
	scene->metric.name = scene->plan.primary = metric;
	scene->treatments[0].expect_len = scene->treatments[1].expect_len = 1000;
	scene->treatments[0].expect_iters = scene->treatments[1].expect_iters = 10;
	scene->treatments[1].lowers_scale = true;
	buffer_clear(&scene->csv);
	buffer_puts(&scene->csv,
		    "run_id,session,case_id,experiment,item,treatment,variant,phase,block,pair,order,slot,"
		    "attempt,sample,started_ns,cpu,status,reason,used,wall_us,cpu_us,flops,check,"
		    "stdout_sha256,cfg_len,cfg_iters,wall_us_per_flop\n");
	scene->order = 1;
	for (pair = 1; pair <= 10; pair++) {
		int first = pair % 2;

		put_worked(scene, pair, first, first ? 200 + pair % 3 : 1000 + pair, first ? 1 : 10);
		put_worked(scene, pair, !first, first ? 1000 + pair : 200 + pair % 3, first ? 10 : 1);
	}
	return analyse(scene);
}

static void
less_work_compares_only_divided_by_it(void **state)
{
	static char wall[] = "wall_us", divided[] = "wall_us_per_flop";
	struct scene scene;
	json_t *document = lowered(&scene, wall);
	const json_t *one = json_array_get(json_object_get(document, "lowered"), 0);

	(void)state;
	assert_true(json_is_true(json_object_get(comparison_of(document), "absent")));
	assert_true(json_is_null(json_object_get(comparison_of(document), "speedup")));
	assert_non_null(strstr(json_get_text(comparison_of(document), "sentence"), "did less work in a sample"));
	assert_string_equal(json_get_text(one, "name"), "fast");
	assert_string_equal(json_get_text(one, "reason"), "CFG says 1000 x 1, asked for was 1000 x 10");
	scene_end(&scene, document);
	document = lowered(&scene, divided);
	assert_string_equal(json_get_text(comparison_of(document), "verdict"), "slower");
	assert_non_null(strstr(json_get_text(comparison_of(document), "sentence"),
			       "times as long as plain per flop"));
	assert_true(json_get_number(comparison_of(document), "speedup") < 0.51);
	assert_true(is_near(json_get_number(json_object_get(pool_of(document, 1), "rate"), "work_over_time"), 1e9));
	scene_end(&scene, document);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pools_what_counts_after_the_trim),
		cmocka_unit_test(tells_work_over_time_from_the_mean_of_rates),
		cmocka_unit_test(rates_follow_the_metric),
		cmocka_unit_test(a_group_report_says_what_is_in_the_pool),
		cmocka_unit_test(less_work_compares_only_divided_by_it),
		cmocka_unit_test(who_does_not_say_its_work_has_no_rate),
	};

	return cmocka_run_group_tests(tests, scene_make_folder, scene_remove_folder);
}

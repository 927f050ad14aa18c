/* Diagnostics of a case: each is told with its number, and not told where there is nothing. */
#include "warning_scene.h"

#include <math.h>
#include <string.h>

static void
a_quiet_case_has_no_warning(void **state)
{
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	put_noisy_pairs(&scene, 16);
	document = analyse(&scene);
	assert_int_equal(json_array_size(json_object_get(document, "warnings")), 0);
	scene_end(&scene, document);
}

/* 16 runs that grow by 0.5 % each: 7.5 % from the first to the last. */
static void
drift_is_told_from_the_first_to_the_last_run(void **state)
{
	struct scene scene;
	json_t *document;
	int i;

	(void)state;
	scene_begin(&scene);
	for (i = 0; i < 16; i++)
		put_pair(&scene, "ab", i + 1, i % 2 == 0, 1000 + 5 * i, 1000 + 5 * i + i % 3, 1);
	document = analyse(&scene);
	assert_true(fabs(number_of(document, "drift") - 15 * 5 / 1037.5) < 1e-6);
	assert_true(number_of(document, "dependence") > 0.5);
	scene_end(&scene, document);
}

/* From the 13th pair on everything takes 20 % longer. */
static void
a_step_is_told_with_its_size_and_place(void **state)
{
	struct scene scene;
	json_t *document;
	int i;

	(void)state;
	scene_begin(&scene);
	for (i = 0; i < 24; i++) {
		double level = i < 12 ? 1000 : 1200;

		put_pair(&scene, "ab", i + 1, i % 2 == 0, level * (1 + noise(2 * i) / 10),
			 level * (1 + noise(2 * i + 1) / 10), 1);
	}
	document = analyse(&scene);
	assert_true(fabs(number_of(document, "steps") - 0.2) < 0.005);
	assert_non_null(strstr(json_get_text(find_warning(document, "steps"), "text"),
			       "first after run 12 of 24"));
	scene_end(&scene, document);
}

static void
two_modes_are_told_with_the_dip(void **state)
{
	struct scene scene;
	json_t *document;
	int i;

	(void)state;
	scene_begin(&scene);
	for (i = 0; i < 24; i++)
		put_pair(&scene, "ab", i + 1, i % 2 == 0,
			 (noise(2 * i) > 0 ? 1000 : 1300) * (1 + noise(2 * i) / 10),
			 1000 * (1 + noise(2 * i + 1)), 1);
	document = analyse(&scene);
	assert_true(number_of(document, "modes") > 0.1);
	scene_end(&scene, document);
}

/* Every run takes exactly as long: a clock that cannot see the noise. */
static void
a_coarse_clock_is_told(void **state)
{
	struct scene scene;
	json_t *document;
	int i;

	(void)state;
	scene_begin(&scene);
	for (i = 0; i < 10; i++)
		put_pair(&scene, "ab", i + 1, i % 2 == 0, 1000, 900, 1);
	document = analyse(&scene);
	assert_true(number_of(document, "coarse_clock") == 1);
	assert_true(json_is_null(json_object_get(comparison_of(document), "noise_floor_percent")));
	scene_end(&scene, document);
}

/* Twelve samples, the last three at another level: no steady state. */
static void
put_unsteady(struct scene *scene, int treatment, int pair, int slot)
{
	double us[12];
	int i;

	for (i = 0; i < 12; i++)
		us[i] = (i < 10 ? 2000 : 1000) * (1 + noise(pair * 12 + i) / 10);
	put_samples(scene, "ab", treatment, pair, slot, us, us, 12, "7", "ok");
}

static void
a_group_that_settles_late_has_no_steady_state(void **state)
{
	struct scene scene;
	json_t *document;
	int i;

	(void)state;
	scene_begin(&scene);
	for (i = 0; i < 8; i++) {
		scene.block++;
		put_unsteady(&scene, i % 2, i + 1, 1);
		put_group(&scene, "ab", 1 - i % 2, i + 1, 2, 2000 + i % 3, "7", "ok");
	}
	document = analyse(&scene);
	assert_true(number_of(document, "no_steady_state") == 8);
	scene_end(&scene, document);
}

/* One group waited a quarter of its time. */
static void
preemption_is_told_with_the_worst_share(void **state)
{
	const double wall[] = {1000, 1001, 999}, cpu[] = {750, 750, 750};
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	put_noisy_pairs(&scene, 10);
	scene.block++;
	put_samples(&scene, "ab", 0, 11, 1, wall, cpu, 3, "7", "ok");
	put_group(&scene, "ab", 1, 11, 2, 1000, "7", "ok");
	document = analyse(&scene);
	assert_true(fabs(number_of(document, "preemption") - 0.25) < 1e-9);
	scene_end(&scene, document);
}

/*
 * 16 pairs whose CPU times are noise around 1000 and 800. A program that shares the CPU makes each
 * sample wait, about half as long as it runs to nearly as long.
 */
static json_t *
analyse_shared_cpu(struct scene *scene, bool shared, char *metric)
{
	static char lower[] = "lower";
	int i, k, t;

	scene_begin(scene);
	scene->metric = (struct setting){metric, lower};
	scene->plan.primary = metric;
	for (i = 0; i < 16; i++) {
		scene->block++;
		for (t = 0; t < 2; t++) {
			int treatment = i % 2 == 0 ? t : 1 - t;
			double wall[3], cpu[3];

			for (k = 0; k < 3; k++) {
				/* another run of it gives other noise, of the same size */
				cpu[k] = (treatment == 0 ? 1000 : 800) * (1 + noise(6 * i + 3 * t + k + 40 * shared));
				wall[k] = cpu[k] * (shared ? 1.5 + 25 * (noise(2 * i + t) + 0.008) : 1);
			}
			put_samples(scene, "ab", treatment, i + 1, t + 1, wall, cpu, 3, "7", "ok");
		}
	}
	return analyse(scene);
}

static void
cpu_time_does_not_see_who_shares_the_cpu(void **state)
{
	static char wall_us[] = "wall_us", cpu_us[] = "cpu_us";
	struct scene quiet, shared, by_wall;
	json_t *undisturbed = analyse_shared_cpu(&quiet, false, cpu_us);
	json_t *disturbed = analyse_shared_cpu(&shared, true, cpu_us);
	json_t *wall = analyse_shared_cpu(&by_wall, true, wall_us);
	double estimate = json_get_number(comparison_of(undisturbed), "speedup");

	(void)state;
	assert_null(find_warning(undisturbed, "preemption"));
	assert_true(number_of(disturbed, "preemption") > 0.45 && number_of(disturbed, "preemption") < 0.5);
	assert_true(number_of(wall, "preemption") == number_of(disturbed, "preemption"));
	assert_non_null(strstr(json_get_text(find_warning(wall, "preemption"), "text"), "in 32 of 32 groups"));
	assert_true(fabs(estimate - 1.25) < 0.02);
	assert_true(json_get_number(comparison_of(disturbed), "speedup_lo") <= estimate);
	assert_true(json_get_number(comparison_of(disturbed), "speedup_hi") >= estimate);
	/* By wall time the interval is many times as wide. */
	assert_true(json_get_number(comparison_of(wall), "speedup_hi") -
			    json_get_number(comparison_of(wall), "speedup_lo") >
		    5 * (json_get_number(comparison_of(disturbed), "speedup_hi") -
			 json_get_number(comparison_of(disturbed), "speedup_lo")));
	scene_end(&quiet, undisturbed);
	scene_end(&shared, disturbed);
	scene_end(&by_wall, wall);
}

/* The second of two identical runs takes 2 % longer, in 12 A/A pairs. */
static void
a_slot_effect_of_the_control_is_told(void **state)
{
	struct scene scene;
	json_t *document;
	int i;

	(void)state;
	scene_begin(&scene);
	for (i = 0; i < 12; i++) {
		double first = 1000 * (1 + noise(i) / 10), second = 1020 * (1 + noise(i + 20) / 10);

		put_pair(&scene, "aa", i + 1, i % 2 == 0, i % 2 == 0 ? first : second,
			 i % 2 == 0 ? second : first, 2);
	}
	put_noisy_pairs(&scene, 10);
	document = analyse(&scene);
	assert_true(fabs(number_of(document, "slot_effect") - log(1.02)) < 0.002);
	scene_end(&scene, document);
}

static void
identical_programs_are_told(void **state)
{
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	put_noisy_pairs(&scene, 10);
	scene.identical = json_pack("[[i, i]]", 0, 1);
	document = analyse(&scene);
	assert_true(number_of(document, "identical_programs") == 1);
	assert_true(json_equal(json_object_get(document, "identical_programs"), scene.identical));
	scene_end(&scene, document);
}

/* ---- how it ended ---- */

/* What a program forks away is not in the time of its process. */
static void
work_left_in_the_background_is_no_speed(void **state)
{
	static const char *const metrics[] = {"process_wall_us", "wall_us"};
	static const char *const verdicts[] = {"inconclusive", "faster"};
	struct scene scene;
	json_t *document;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		scene_begin(&scene);
		scene.metric.name = scene.plan.primary = (char *)metrics[i];
		scene.leftovers[1] = 1;
		put_pairs(&scene, 10, 1000, 500);
		document = analyse(&scene);
		assert_true(number_of(document, "background") == 1);
		assert_string_equal(json_get_text(comparison_of(document), "verdict"), verdicts[i]);
		scene_end(&scene, document);
	}
	scene_begin(&scene);
	scene.metric.name = scene.plan.primary = (char *)metrics[0];
	put_pairs(&scene, 10, 1000, 500);
	document = analyse(&scene);
	assert_string_equal(json_get_text(comparison_of(document), "verdict"), "faster");
	scene_end(&scene, document);
}

static void
a_budget_that_ended_it_is_told(void **state)
{
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	scene.plan.design.pairs = 40;
	scene.plan.design.budget_s = 60;
	put_noisy_pairs(&scene, 10);
	json_array_append_new(scene.sessions, json_pack("{s:s, s:b}", "how", "budget", "invalid", 0));
	document = analyse(&scene);
	assert_true(number_of(document, "budget") == 10);
	assert_non_null(strstr(json_get_text(find_warning(document, "budget"), "text"),
			       "60 s was used up at 10 of at most 40 pairs"));
	assert_false(json_is_true(json_object_get(document, "exploratory")));
	scene_end(&scene, document);
}

static void
a_precision_that_was_not_reached_is_told(void **state)
{
	struct scene scene;
	json_t *document;
	double half;

	(void)state;
	scene_begin(&scene);
	scene.plan.design.stop = STOP_UNTIL_CI;
	scene.plan.design.until_ci = 0.0005;
	scene.plan.design.max_pairs = 20;
	put_noisy_pairs(&scene, 20);
	document = analyse(&scene);
	half = (json_get_number(comparison_of(document), "log_hi") -
		json_get_number(comparison_of(document), "log_lo")) / 2;
	assert_true(fabs(number_of(document, "imprecise") - expm1(half)) < 1e-12);
	json_decref(document);
	scene.plan.design.until_ci = 0.2;
	document = analyse(&scene);
	assert_false(has_warning(document, "imprecise"));
	scene_end(&scene, document);
}

/* "padded threads=2" on two CPUs is as asked for; on one its threads take turns. */
static void
more_threads_than_cores_are_told(void **state)
{
	struct scene scene;
	json_t *document;

	(void)state;
	scene_begin(&scene);
	scene.plan.cpus = (char *)"{threads} cores";
	scene.treatments[0].cpus = (char *)"1 cores";
	scene.treatments[1].cpus = (char *)"2 cores";
	scene.treatments[1].blocked = json_pack("{s:i}", "threads", 2);
	scene.cpus = "0,1";
	put_noisy_pairs(&scene, 8);
	document = analyse(&scene);
	assert_false(has_warning(document, "more_threads_than_cores"));
	json_decref(document);
	scene.treatments[1].cpus = (char *)"4 cores";
	document = analyse(&scene);
	assert_true(number_of(document, "more_threads_than_cores") == 4);
	assert_non_null(strstr(json_get_text(find_warning(document, "more_threads_than_cores"), "text"),
			       "the threads of fast shared 2 cores, 4 were asked for"));
	json_decref(document);
	/* Pinned to one core, as is usual, but told to run two threads. */
	json_decref(scene.treatments[1].blocked);
	scene_end(&scene, NULL);
	scene_begin(&scene);
	scene.treatments[1].blocked = json_pack("{s:i}", "threads", 2);
	put_noisy_pairs(&scene, 8);
	document = analyse(&scene);
	assert_true(number_of(document, "more_threads_than_cores") == 2);
	json_decref(scene.treatments[1].blocked);
	scene_end(&scene, document);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_case_has_no_warning),
		cmocka_unit_test(drift_is_told_from_the_first_to_the_last_run),
		cmocka_unit_test(a_step_is_told_with_its_size_and_place),
		cmocka_unit_test(two_modes_are_told_with_the_dip),
		cmocka_unit_test(a_coarse_clock_is_told),
		cmocka_unit_test(a_group_that_settles_late_has_no_steady_state),
		cmocka_unit_test(preemption_is_told_with_the_worst_share),
		cmocka_unit_test(cpu_time_does_not_see_who_shares_the_cpu),
		cmocka_unit_test(a_slot_effect_of_the_control_is_told),
		cmocka_unit_test(identical_programs_are_told),
		cmocka_unit_test(work_left_in_the_background_is_no_speed),
		cmocka_unit_test(a_budget_that_ended_it_is_told),
		cmocka_unit_test(a_precision_that_was_not_reached_is_told),
		cmocka_unit_test(more_threads_than_cores_are_told),
	};

	return cmocka_run_group_tests(tests, scene_make_folder, scene_remove_folder);
}

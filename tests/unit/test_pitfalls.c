/* What makes a measurement say something else than it seems: told where it is, and nowhere else. */
#include "warning_scene.h"

#include <math.h>
#include <string.h>

#include "analysis/judge/work_done.h"

/* Eight pairs of 8 samples; the first three of `fast` take as many times as long. */
static json_t *
analyse_warming(struct scene *scene, double plain_times, double fast_times)
{
	int i, k, t;

	scene_begin(scene);
	for (i = 0; i < 8; i++) {
		scene->block++;
		for (t = 0; t < 2; t++) {
			int treatment = i % 2 == 0 ? t : 1 - t;
			double us[8], times = treatment == 0 ? plain_times : fast_times;

			for (k = 0; k < 8; k++)
				us[k] = 1000 * (k < 3 ? times : 1) * (1 + noise(16 * i + 8 * t + k));
			put_samples(scene, "ab", treatment, i + 1, t + 1, us, us, 8, "7", "ok");
		}
	}
	return analyse(scene);
}

static void
a_treatment_that_still_warms_up_is_told_beside_one_that_does_not(void **state)
{
	static const struct {
		double plain, fast;
		bool told;
	} cases[] = {{1, 1.5, true}, {1.5, 1, true}, {1.5, 1.5, false}, {1, 1, false}, {1, 1.03, false}};
	struct scene scene;
	json_t *document;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		document = analyse_warming(&scene, cases[i].plain, cases[i].fast);
		assert_int_equal(has_warning(document, "unequal_warmup"), cases[i].told);
		if (cases[i].told) {
			assert_true(fabs(number_of(document, "unequal_warmup") - 1.5) < 0.02);
			assert_int_equal(strncmp(json_get_text(find_warning(document, "unequal_warmup"), "text"),
						 cases[i].plain > 1 ? "plain is" : "fast is", 7), 0);
		}
		scene_end(&scene, document);
	}
}

/* CPU time is `busy` times the wall time in one variant. */
static json_t *
analyse_busy(struct scene *scene, const char *metric, double busy, int voluntary)
{
	int i, t;

	scene_begin(scene);
	scene->metric.name = scene->plan.primary = (char *)metric;
	scene->told[1].voluntary = voluntary;
	scene->told[0].process_cpu = 1;
	scene->told[1].process_cpu = busy;
	for (i = 0; i < 8; i++) {
		scene->block++;
		for (t = 0; t < 2; t++) {
			int treatment = i % 2 == 0 ? t : 1 - t;
			double wall = 1000 * (1 + noise(2 * i + t)), cpu = wall * (treatment == 1 ? busy : 1);

			put_samples(scene, "ab", treatment, i + 1, t + 1, &wall, &cpu, 1, "7", "ok");
		}
	}
	return analyse(scene);
}

static void
cpu_time_is_no_clock_of_threads(void **state)
{
	static const struct {
		const char *metric;
		double busy;
		int voluntary;
		const char *told; /* NULL: nothing */
	} cases[] = {
		{"cpu_us", 2, 0, "cpu_clock"}, {"process_user_us", 2, 0, "cpu_clock"}, {"wall_us", 2, 0, NULL},
		{"cpu_us", 1, 0, NULL},        {"cpu_us", 0.4, 9, "cpu_clock_waits"},  {"cpu_us", 0.4, 0, NULL},
		{"wall_us", 0.4, 9, NULL},      {"cpu_us", 0.4, 1, NULL},
	};
	struct scene scene;
	json_t *document;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		document = analyse_busy(&scene, cases[i].metric, cases[i].busy, cases[i].voluntary);
		if (cases[i].told != NULL) {
			assert_true(fabs(number_of(document, cases[i].told) - cases[i].busy) < 1e-9);
			assert_non_null(strstr(json_get_text(find_warning(document, cases[i].told), "text"), "fast"));
		} else {
			assert_false(has_warning(document, "cpu_clock"));
			assert_false(has_warning(document, "cpu_clock_waits"));
		}
		scene_end(&scene, document);
	}
}

/* On a busy machine two threads get no more than one CPU, and the harness tells of them all the same. */
static void
threads_are_told_where_they_take_turns(void **state)
{
	struct scene scene;
	json_t *document;
	int i;

	(void)state;
	scene_begin(&scene);
	scene.metric.name = scene.plan.primary = (char *)"cpu_us";
	scene.told[0].caller_cpu = 1;
	scene.told[1].caller_cpu = 0.25;
	for (i = 0; i < 8; i++) {
		double wall = 1000 * (1 + noise(i)), cpu = 0.5 * wall;

		scene.block++;
		put_samples(&scene, "ab", 0, i + 1, 1, &wall, &wall, 1, "7", "ok");
		put_samples(&scene, "ab", 1, i + 1, 2, &wall, &cpu, 1, "7", "ok");
	}
	document = analyse(&scene);
	assert_true(fabs(number_of(document, "cpu_clock") - 2) < 1e-9);
	assert_false(has_warning(document, "cpu_clock_waits"));
	scene_end(&scene, document);
}

static void
a_sample_as_short_as_a_look_at_the_clock_is_told(void **state)
{
	static const struct {
		const char *metric;
		double us;
		bool told;
	} cases[] = {{"wall_us", 0.04, true}, {"wall_us", 40, false}, {"cpu_us", 40, true}, {"cpu_us", 400, false}};
	struct scene scene;
	json_t *document;
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		scene_begin(&scene);
		scene.plan.reader = (char *)"protocol";
		scene.metric.name = scene.plan.primary = (char *)cases[i].metric;
		for (k = 0; k < 8; k++) {
			double us = cases[i].us * (1 + noise((int)k)), other = 1000;

			scene.block++;
			put_samples(&scene, "ab", 0, (int)k + 1, 1, &other, &other, 1, "7", "ok");
			put_samples(&scene, "ab", 1, (int)k + 1, 2, &us, &us, 1, "7", "ok");
		}
		document = analyse(&scene);
		assert_int_equal(has_warning(document, "short_samples"), cases[i].told);
		scene_end(&scene, document);
	}
}

/* All pairs are of equal times, so that the flops of each sample come to one number. */
static void
times_per_flop_want_the_flops_that_are_declared(void **state)
{
	struct setting divided = {(char *)"wall_us_per_flop", (char *)"wall_us"};
	static const double us[] = {1000};
	struct scene scene;
	json_t *document;
	int declared, pair;

	(void)state;
	for (declared = 2; declared <= 3; declared++) {
		scene_begin(&scene);
		scene.plan.divided = (struct settings){&divided, 1};
		scene.treatments[1].expect_len = scene.treatments[1].expect_iters = -1;
		scene.treatments[1].expect_flops = declared;
		scene.told[1].len = 1e6;
		scene.told[1].iters = 1;
		scene.told[1].flops = 2e9; /* 2 an element */
		for (pair = 1; pair <= 8; pair++) {
			scene.block++;
			put_samples(&scene, "ab", 0, pair, 1, us, us, 1, "7", "ok");
			put_samples(&scene, "ab", 1, pair, 2, us, us, 1, "7", "ok");
		}
		document = analyse(&scene);
		assert_int_equal(has_warning(document, "work_disagrees"), declared != 2);
		scene_end(&scene, document);
	}
}

static void
a_rate_that_no_cpu_has_is_told(void **state)
{
	static const struct {
		double len, flops;
		const char *unit;
	} cases[] = {{1e6, 0, NULL}, {2e9, 0, "elements"}, {1e6, 1e14, "operations"}, {1e6, 1e12, NULL}};
	struct scene scene;
	json_t *document;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		scene_begin(&scene);
		scene.told[1].len = cases[i].len; /* in about 1000 us */
		scene.told[1].iters = 1;
		scene.told[1].flops = cases[i].flops;
		put_noisy_pairs(&scene, 8);
		document = analyse(&scene);
		assert_int_equal(has_warning(document, "impossible_rate"), cases[i].unit != NULL);
		if (cases[i].unit != NULL)
			assert_non_null(strstr(json_get_text(find_warning(document, "impossible_rate"), "text"),
					       cases[i].unit));
		scene_end(&scene, document);
	}
}

/* Two cases of an experiment; nanoseconds of a pass over 1000 and over 50000 elements. */
static json_t *
judge_growth(double small_ns, double large_ns, double iters, const char *check)
{
	json_t *study = json_pack("{s:[{s:[{s:s}, {s:s}]}]}", "experiments", "cases", "case_id", "small", "case_id",
				  "large");
	json_t *cases = json_pack(
		"{s:{s:[{s:s, s:f, s:f, s:f, s:s}], s:[]}, s:{s:[{s:s, s:f, s:f, s:f, s:s}], s:[]}}", "small",
		"work_done", "name", "sum", "len", 1000.0, "iters", 500.0, "pass_ns", small_ns, "check", "7",
		"warnings", "large", "work_done", "name", "sum", "len", 50000.0, "iters", iters, "pass_ns",
		large_ns, "check", check, "warnings");

	assert_non_null(study);
	assert_non_null(cases);
	work_done_judge(study, cases);
	assert_int_equal(json_array_size(json_object_get(json_object_get(cases, "small"), "warnings")), 0);
	json_decref(study);
	return cases;
}

static void
more_work_in_no_more_time_is_told(void **state)
{
	static const struct {
		double small_ns, large_ns, iters;
		const char *check;
		bool told;
	} growths[] = {
		{1.6, 1.6, 500, "7", true},  {1.6, 1.6, 500, "8", true}, {1.6, 3.1, 10, "7", true},
		{1.6, 3.1, 500, "7", false}, {300, 15000, 10, "7", false}, {5000, 5000, 10, "7", false},
	};
	json_t *cases;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof growths / sizeof *growths; i++) {
		const json_t *warning;

		cases = judge_growth(growths[i].small_ns, growths[i].large_ns, growths[i].iters, growths[i].check);
		warning = find_warning(json_object_get(cases, "large"), "work_without_time");
		assert_int_equal(warning != NULL, growths[i].told);
		if (growths[i].told)
			assert_int_equal(strstr(json_get_text(warning, "text"), "same CHECK") != NULL,
					 strcmp(growths[i].check, "7") == 0);
		json_decref(cases);
	}
}

/* plain is as it should be; fast is what the text says. */
static json_t *
analyse_build(struct scene *scene, const char *fast)
{
	scene_begin(scene);
	put_noisy_pairs(scene, 8);
	scene->builds = json_pack("[o, o]", json_loads("{\"optimise\": [\"-O2\"], \"instrumented\": [], "
						       "\"volatile_loops\": []}", 0, NULL),
				  json_loads(fast, JSON_DECODE_ANY, NULL));
	assert_non_null(scene->builds);
	return analyse(scene);
}

static void
a_build_that_is_not_for_timing_is_told(void **state)
{
	static const struct {
		const char *fast, *code, *text;
	} cases[] = {
		{"{\"optimise\": [\"-O0\"]}", "unoptimised_build", "(-O0): fast; plain with -O2"},
		{"{\"instrumented\": [\"AddressSanitizer\", \"gprof (-pg)\"]}", "instrumented_build",
		 "fast is built with AddressSanitizer and gprof (-pg)"},
		{"{\"volatile_loops\": [{\"file\": \"k.c\", \"line\": 7, \"function\": \"f\", \"name\": \"x\"}]}",
		 "volatile_loop", "a loop of f goes through volatile x (k.c:7)"},
		{"{\"optimise\": [\"-O3\"], \"instrumented\": [], \"volatile_loops\": []}", NULL, NULL},
		{"null", NULL, NULL},
	};
	struct scene scene;
	json_t *document;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		document = analyse_build(&scene, cases[i].fast);
		assert_int_equal(json_array_size(json_object_get(document, "warnings")), cases[i].code != NULL);
		if (cases[i].code != NULL) {
			assert_true(number_of(document, cases[i].code) == 1);
			assert_non_null(strstr(json_get_text(find_warning(document, cases[i].code), "text"),
					       cases[i].text));
		}
		scene_end(&scene, document);
	}
}

static void
a_program_under_a_tracer_is_told(void **state)
{
	static const char *const paths[] = {"/usr/bin/strace", "build/runners/perfect", "valgrind"};
	static const bool told[] = {true, false, true};
	struct scene scene;
	json_t *document;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		scene_begin(&scene);
		scene.treatments[1].program.path = (char *)paths[i];
		put_noisy_pairs(&scene, 8);
		document = analyse(&scene);
		assert_int_equal(has_warning(document, "started_by_profiler"), told[i]);
		scene_end(&scene, document);
	}
}

/* Who looked: told by the sessions that count, and by groups themselves. */
static void
a_profiler_beside_is_told(void **state)
{
	struct scene scene;
	json_t *document, *session;

	(void)state;
	scene_begin(&scene);
	scene.remark = "pinning failed; traced by strace";
	put_noisy_pairs(&scene, 16);
	session = json_pack("{s:i, s:b, s:[s]}", "session", 1, "invalid", 0, "profilers", "perf");
	json_array_clear(scene.sessions);
	json_array_append(scene.sessions, session);
	document = analyse(&scene);
	assert_true(number_of(document, "profiler") == 1);
	assert_true(number_of(document, "traced") == 32);
	json_decref(document);
	json_object_set_new(session, "invalid", json_true());
	json_decref(session);
	document = analyse(&scene);
	assert_false(has_warning(document, "profiler"));
	scene_end(&scene, document);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_treatment_that_still_warms_up_is_told_beside_one_that_does_not),
		cmocka_unit_test(cpu_time_is_no_clock_of_threads),
		cmocka_unit_test(threads_are_told_where_they_take_turns),
		cmocka_unit_test(a_sample_as_short_as_a_look_at_the_clock_is_told),
		cmocka_unit_test(times_per_flop_want_the_flops_that_are_declared),
		cmocka_unit_test(a_rate_that_no_cpu_has_is_told),
		cmocka_unit_test(more_work_in_no_more_time_is_told),
		cmocka_unit_test(a_program_under_a_tracer_is_told),
		cmocka_unit_test(a_build_that_is_not_for_timing_is_told),
		cmocka_unit_test(a_profiler_beside_is_told),
	};

	return cmocka_run_group_tests(tests, scene_make_folder, scene_remove_folder);
}

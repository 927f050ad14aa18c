/* Diagnostics of a case: each is told with its number, and not told where there is nothing. */
#include "judge_scene.h"

#include <math.h>
#include <string.h>

#include "analysis/judge/work_done.h"
#include "base/json.h"

/* The warning must be there; its number. */
static double
number_of(const json_t *document, const char *code)
{
	const json_t *warning = find_warning(document, code);

	if (warning == NULL)
		fail_msg("no warning '%s'", code);
	assert_true(*json_get_text(warning, "text") != '\0');
	assert_true(*json_get_text(warning, "advice") != '\0');
	return json_get_number(warning, "value");
}

/* Noise without any pattern: digits of pi, within +-0.9 %. */
static double
noise(int i)
{
	static const char digits[] = "14159265358979323846264338327950288419716939937510"
				     "58209749445923078164062862089986280348253421170679";

	return (digits[i % 100] - '4') * 0.002;
}

static void
put_noisy_pairs(struct scene *scene, int count)
{
	int i;

	for (i = 0; i < count; i++)
		put_pair(scene, "ab", i + 1, i % 2 == 0, 1000 * (1 + noise(2 * i)),
			 1000 * (1 + noise(2 * i + 1)), 1);
}

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

/* ---- the pitfalls ---- */

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
		cmocka_unit_test(a_treatment_that_still_warms_up_is_told_beside_one_that_does_not),
		cmocka_unit_test(cpu_time_is_no_clock_of_threads),
		cmocka_unit_test(threads_are_told_where_they_take_turns),
		cmocka_unit_test(a_sample_as_short_as_a_look_at_the_clock_is_told),
		cmocka_unit_test(times_per_flop_want_the_flops_that_are_declared),
		cmocka_unit_test(a_rate_that_no_cpu_has_is_told),
		cmocka_unit_test(more_work_in_no_more_time_is_told),
		cmocka_unit_test(a_program_under_a_tracer_is_told),
		cmocka_unit_test(a_build_that_is_not_for_timing_is_told),
		cmocka_unit_test(work_left_in_the_background_is_no_speed),
		cmocka_unit_test(a_profiler_beside_is_told),
		cmocka_unit_test(a_budget_that_ended_it_is_told),
		cmocka_unit_test(a_precision_that_was_not_reached_is_told),
		cmocka_unit_test(more_threads_than_cores_are_told),
	};

	return cmocka_run_group_tests(tests, scene_make_folder, scene_remove_folder);
}

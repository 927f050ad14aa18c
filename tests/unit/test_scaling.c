/* How a case scales: speedups against the best serial program, the laws, what is more than p times
 * as fast. Times are planted, so that the numbers are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "analysis/block_fit.h"
#include "analysis/jackknife.h"
#include "analysis/judge/scaling_document.h"
#include "base/json.h"
#include "base/memory.h"

#define BLOCKS 12

/* Treatment `number` of a time that a block's share of drift makes longer. */
static json_t *
treatment(int number, const char *name, double time)
{
	json_t *values = json_array();
	int b;

	for (b = 0; b < BLOCKS; b++) /* who runs first changes from block to block */
		json_array_append_new(values, json_pack("{s:i, s:i, s:i, s:f}", "session", 1, "pair", b + 1, "order",
							10 * b + (number + 3 * b) % 7, "value",
							time * (1 + 0.01 * b) * (1 + 0.0001 * ((b * 7 + number * 3) % 5))));
	return json_pack("{s:i, s:s, s:f, s:f, s:f, s:o}", "treatment", number, "name", name, "median", time,
			 "median_lo", 0.99 * time, "median_hi", 1.01 * time, "values", values);
}

static json_t *
study_experiment(const char *kind, const long long *processors, size_t count)
{
	json_t *points = json_array();
	size_t i;

	for (i = 0; i < count; i++)
		json_array_append_new(points, json_pack("{s:i, s:I}", "treatment", (int)i + 2, "processors",
							(json_int_t)processors[i]));
	return json_pack("{s:{s:s, s:[i, i], s:[{s:s, s:s, s:s, s:o}]}}", "scaling", "over", "threads", "serial", 0, 1,
			 "series", "name", "rows", "variant", "rows", "kind", kind, "points", points);
}

/* Serial programs of 1200 and 1000 us, then the parallel program at 1, 2, 4, 8. */
struct scene {
	json_t *experiment, *entry, *document, *scaling;
};

static void
judge(struct scene *scene, const char *kind, const double *times, size_t count)
{
	static const long long processors[] = {1, 2, 4, 8};
	json_t *treatments = json_pack("[o, o]", treatment(0, "old", 1200), treatment(1, "serial", 1000));
	size_t i;

	for (i = 0; i < count; i++)
		json_array_append_new(treatments, treatment((int)i + 2, "rows", times[i]));
	scene->experiment = study_experiment(kind, processors, count);
	scene->entry = json_pack("{s:[{s:i, s:f}], s:[{s:i, s:f}, {s:i, s:f}]}", "work", "treatment", 3, "bytes", 6e6,
				 "working_sets", "treatment", 3, "bytes", 80000.0, "treatment", 4, "bytes", 80000.0);
	scene->document = json_pack("{s:[], s:[{s:[{s:i, s:i}, {s:i, s:i}]}], s:[{s:s, s:[{s:o}]}]}", "warnings",
				    "sessions", "caches", "level", 1, "bytes", 49152, "level", 2, "bytes", 1048576,
				    "metrics", "unit", "us", "items", "treatments", treatments);
	scene->scaling = scaling_document(scene->experiment, scene->entry, scene->document);
}

static void
end(struct scene *scene)
{
	json_decref(scene->experiment);
	json_decref(scene->entry);
	json_decref(scene->document);
	json_decref(scene->scaling);
}

static const json_t *
series(const struct scene *scene)
{
	return json_array_get(json_object_get(scene->scaling, "series"), 0);
}

static const json_t *
point(const struct scene *scene, size_t i)
{
	return json_array_get(json_object_get(series(scene), "points"), i);
}

static const json_t *
law(const struct scene *scene, const char *name)
{
	return json_object_get(json_object_get(series(scene), "fits"), name);
}

static void
is_near(const json_t *object, const char *key, double wanted, double within)
{
	double value = json_get_number(object, key);

	if (!(fabs(value - wanted) <= within * fabs(wanted)))
		fail_msg("%s is %.9g, wanted %.9g", key, value, wanted);
}

/* t = 1100 (0.1 + 0.9/p) against the faster serial program of 1000. */
static void
speedups_are_against_the_best_serial_program(void **state)
{
	const double times[] = {1100, 605, 357.5, 233.75};
	struct scene scene;
	const json_t *fraction;

	(void)state;
	judge(&scene, "strong", times, 4);
	assert_string_equal(json_get_text(scene.scaling, "serial"), "serial");
	is_near(point(&scene, 0), "speedup", 1 / 1.1, 1e-3);
	is_near(point(&scene, 1), "speedup", 1000 / 605.0, 1e-3);
	is_near(point(&scene, 1), "own_speedup", 1100 / 605.0, 1e-3);
	is_near(point(&scene, 1), "efficiency", 500 / 605.0, 1e-3);
	is_near(point(&scene, 1), "karp_flatt", (0.605 - 0.5) / 0.5, 1e-2);
	assert_true(json_get_number(point(&scene, 1), "speedup_lo") < json_get_number(point(&scene, 1), "speedup_hi"));
	assert_true(json_get_number(point(&scene, 1), "karp_flatt_lo") < json_get_number(point(&scene, 1), "karp_flatt_hi"));
	is_near(point(&scene, 1), "bytes_per_s", 6e6 / 605e-6, 1e-9);
	assert_true(json_is_null(json_object_get(point(&scene, 0), "karp_flatt")));
	assert_null(json_object_get(point(&scene, 0), "bytes_per_s"));
	assert_false(json_is_true(json_object_get(point(&scene, 3), "superlinear")));
	fraction = json_object_get(law(&scene, "amdahl"), "serial_fraction");
	is_near(fraction, "value", 0.1, 1e-2);
	assert_true(json_get_number(fraction, "lo") < 0.1 && 0.1 < json_get_number(fraction, "hi"));
	is_near(law(&scene, "amdahl"), "limit", 1 / 0.11, 1e-2);
	assert_string_equal(json_get_text(law(&scene, "amdahl"), "note"), "");
	assert_null(law(&scene, "gustafson"));
	is_near(json_object_get(law(&scene, "usl"), "alpha"), "value", 0.1, 2e-2);
	is_near(json_object_get(law(&scene, "usl"), "gamma"), "value", 1 / 1.1, 1e-2);
	end(&scene);
}

static void
two_thread_counts_confirm_no_law(void **state)
{
	const double times[] = {1100, 605};
	struct scene scene;
	const json_t *amdahl;

	(void)state;
	judge(&scene, "strong", times, 2);
	amdahl = law(&scene, "amdahl");
	is_near(json_object_get(amdahl, "serial_fraction"), "value", 0.1, 2e-2);
	assert_true(json_is_null(json_object_get(json_object_get(amdahl, "serial_fraction"), "lo")));
	assert_non_null(strstr(json_get_text(amdahl, "note"), "no interval: as many points as parameters"));
	assert_true(json_is_null(json_object_get(json_object_get(law(&scene, "usl"), "alpha"), "value")));
	assert_non_null(strstr(json_get_text(law(&scene, "usl"), "note"), "more parameters than processor counts"));
	end(&scene);
}

/* Scaled: t(p) = p 1000/(p - 0.2 (p - 1)), the problem p times as large. */
static void
a_grown_problem_is_scaled(void **state)
{
	const double times[] = {1000, 2000 / 1.8, 4000 / 3.4, 8000 / 6.6};
	struct scene scene;

	(void)state;
	judge(&scene, "weak", times, 4);
	is_near(point(&scene, 3), "speedup", 6.6, 1e-3);
	is_near(point(&scene, 3), "efficiency", 6.6 / 8, 1e-3);
	assert_null(json_object_get(point(&scene, 3), "karp_flatt"));
	is_near(json_object_get(law(&scene, "gustafson"), "serial_fraction"), "value", 0.2, 1e-2);
	assert_null(law(&scene, "amdahl"));
	assert_false(json_is_true(json_object_get(point(&scene, 3), "superlinear")));
	end(&scene);
}

/* 80000 bytes: a half of them goes into the level-1 cache. */
static void
more_than_p_times_is_told_with_its_cause(void **state)
{
	const double times[] = {1000, 400, 240};
	struct scene scene;
	const json_t *warning;

	(void)state;
	judge(&scene, "strong", times, 3);
	assert_false(json_is_true(json_object_get(point(&scene, 0), "superlinear")));
	assert_true(json_is_true(json_object_get(point(&scene, 1), "superlinear")));
	assert_non_null(strstr(json_get_text(point(&scene, 1), "cause"),
			       "(39.1 of 78.1 KiB) goes into the level-1 cache of 48 KiB"));
	assert_true(json_get_number(point(&scene, 1), "karp_flatt") < 0);
	assert_int_equal(json_array_size(json_object_get(scene.document, "warnings")), 2);
	warning = json_array_get(json_object_get(scene.document, "warnings"), 0);
	assert_string_equal(json_get_text(warning, "code"), "superlinear");
	assert_non_null(strstr(json_get_text(warning, "text"), "2.5 times as fast as serial on 2"));
	end(&scene);
}

static void
what_was_not_measured_has_no_numbers(void **state)
{
	const double times[] = {1100, 605};
	struct scene scene;
	json_t *item, *again;

	(void)state;
	judge(&scene, "strong", times, 2);
	item = json_array_get(json_object_get(json_array_get(json_object_get(scene.document, "metrics"), 0), "items"), 0);
	json_array_remove(json_object_get(item, "treatments"), 3);
	again = scaling_document(scene.experiment, scene.entry, scene.document);
	assert_null(json_object_get(json_array_get(json_object_get(again, "series"), 0), "points"));
	json_decref(again);
	json_array_clear(json_object_get(item, "treatments"));
	again = scaling_document(scene.experiment, scene.entry, scene.document);
	assert_string_equal(json_get_text(again, "unavailable"), "no serial program was measured");
	json_decref(again);
	json_object_set_new(scene.document, "invalid", json_true());
	again = scaling_document(scene.experiment, scene.entry, scene.document);
	assert_string_equal(json_get_text(again, "unavailable"), "the case is invalid");
	json_decref(again);
	end(&scene);
}

/* Of a mean the jackknife is the t interval: 1 2 3 4, mean 2.5, sd 1.29, t(3) = 3.182. */
static void
the_jackknife_of_a_mean_is_its_t_interval(void **state)
{
	const double without[] = {3, 8 / 3.0, 7 / 3.0, 2};
	double lo, hi;

	(void)state;
	assert_int_equal(jackknife_interval(2.5, without, 4, 0.95, &lo, &hi), STAT_OK);
	assert_true(fabs(hi - 2.5 - 3.18244630528 * sqrt(5 / 3.0 / 4)) < 1e-9);
	assert_true(fabs(lo + hi - 5) < 1e-12);
	assert_int_equal(jackknife_interval(2.5, without, 2, 0.95, &lo, &hi), STAT_TOO_FEW);
	assert_true(isnan(lo) && isnan(hi));
	assert_int_equal(jackknife_interval(2.5, without, 4, 1, &lo, &hi), STAT_BAD_ARGUMENT);
}

static void
a_parameter_at_its_bound_has_no_interval(void **state)
{
	const double p[] = {1, 2, 4, 8};
	double time[4 * 6];
	struct block_times times = {p, time, 4, 6, false};
	struct block_usl fit;
	size_t i;

	(void)state;
	for (i = 0; i < 24; i++) /* better than in proportion */
		time[i] = pow(p[i % 4], -1.1) * (1 + 0.001 * (double)(i * 5 % 7));
	assert_int_equal(block_fit_usl(&times, 0.95, &fit), STAT_OK);
	assert_true(fit.alpha_at_bound && fit.alpha.value == 0 && isnan(fit.alpha.lo));
	assert_int_equal(fit.alpha.interval, STAT_NO_INTERVAL);
	times.blocks = 3;
	block_fit_usl(&times, 0.95, &fit);
	assert_int_equal(fit.gamma.interval, STAT_TOO_FEW);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(speedups_are_against_the_best_serial_program),
		cmocka_unit_test(two_thread_counts_confirm_no_law),
		cmocka_unit_test(a_grown_problem_is_scaled),
		cmocka_unit_test(more_than_p_times_is_told_with_its_cause),
		cmocka_unit_test(what_was_not_measured_has_no_numbers),
		cmocka_unit_test(the_jackknife_of_a_mean_is_its_t_interval),
		cmocka_unit_test(a_parameter_at_its_bound_has_no_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

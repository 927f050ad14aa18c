#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

#include "analysis/describe.h"
#include "analysis/judge/rates.h"
#include "analysis/judge/roofline_document.h"
#include "analysis/mover.h"
#include "analysis/roofline.h"
#include "base/json.h"
#include "figures/writers.h"
#include "report/results.h"
#include "report/roofline_table.h"

/* Rooflines: the quotient's interval, the judged document, the table, the figure. */

static void
near(double value, double expected, double within)
{
	if (!(fabs(value - expected) <= within))
		fail_msg("%.17g is not %.17g", value, expected);
}

/* ---- the quotient of two estimates ---- */

static void
a_quotient_widens_by_both(void **state)
{
	struct estimate exact = {2, 2, 2}, wide = {8, 4, 16}, out;

	(void)state;
	/* Divided by a number that is known: the interval itself. */
	assert_int_equal(mover_quotient(&wide, &exact, &out), STAT_OK);
	near(out.value, 4, 1e-12);
	near(out.lo, 2, 1e-12);
	near(out.hi, 8, 1e-12);
	/* Two of a factor of 2 each: a factor of 2^sqrt(2), not of 4. */
	assert_int_equal(mover_quotient(&wide, &wide, &out), STAT_OK);
	near(out.value, 1, 1e-12);
	near(out.lo, exp2(-sqrt(2)), 1e-12);
	near(out.hi, exp2(sqrt(2)), 1e-12);
	/* Lopsided: what is below widens the other side. */
	assert_int_equal(mover_quotient(&exact, &(struct estimate){4, 4, 8}, &out), STAT_OK);
	near(out.lo, 0.25, 1e-12);
	near(out.hi, 0.5, 1e-12);
}

static void
a_quotient_needs_intervals_above_0(void **state)
{
	static const struct { struct estimate one; enum stat_status status; } wrong[] = {
		{{2, 0, 3}, STAT_NOT_POSITIVE},
		{{2, NAN, 3}, STAT_NOT_FINITE},
		{{2, 1, INFINITY}, STAT_NOT_FINITE},
		{{2, 2.5, 3}, STAT_BAD_ARGUMENT},
		{{2, 1, 1.5}, STAT_BAD_ARGUMENT},
	};
	struct estimate fine = {2, 1, 3}, out;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_int_equal(mover_quotient(&wrong[i].one, &fine, &out), wrong[i].status);
		assert_int_equal(mover_quotient(&fine, &wrong[i].one, &out), wrong[i].status);
		assert_true(isnan(out.value) && isnan(out.lo) && isnan(out.hi));
	}
	assert_int_equal(mover_quotient(&(struct estimate){1e300, 1e300, 1e300},
					&(struct estimate){1e-300, 1e-300, 1e-300}, &out), STAT_OVERFLOW);
}

enum { GROUPS = 16, STUDIES = 2000 };

/* The median of log-normal times with its interval, as a treatment of a case has it. */
static struct estimate
measure(gsl_rng *random, double median, double sigma)
{
	struct describe_median_ci interval;
	double times[GROUPS], middle;
	int i;

	for (i = 0; i < GROUPS; i++)
		times[i] = gsl_ran_lognormal(random, log(median), sigma);
	assert_int_equal(describe_median(times, GROUPS, &middle), STAT_OK);
	assert_int_equal(describe_median_ci(times, GROUPS, 0.95, &interval), STAT_OK);
	return (struct estimate){middle, interval.lo, interval.hi};
}

/* 95 % intervals of medians make intervals of their quotient that hold it at least as often. */
static void
a_quotient_covers_the_true_one(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	int i, inside = 0;

	(void)state;
	gsl_rng_set(random, 7);
	for (i = 0; i < STUDIES; i++) {
		struct estimate a = measure(random, 3, 0.3), b = measure(random, 4, 0.3), out;

		assert_int_equal(mover_quotient(&a, &b, &out), STAT_OK);
		inside += out.lo <= 0.75 && 0.75 <= out.hi;
	}
	gsl_rng_free(random);
	/* four standard errors of 2000 studies below 95 % */
	assert_in_range(inside, (int)(STUDIES * 0.93), STUDIES);
}

/* ---- the document ---- */

/* A ceiling of 100 Gflop/s and one of 20 GB/s; kernels of 0.5, 50 and 2 flop/B. */
struct scene {
	json_t *study, *cases;
};

/* A case of treatments that took so many microseconds, give or take 10 %. */
static json_t *
case_document(const char *case_id, const char *machine, size_t count, const double *us)
{
	json_t *treatments = json_array();
	size_t i;

	for (i = 0; i < count; i++)
		json_array_append_new(treatments, json_pack("{s:I, s:f, s:f, s:f, s:f}", "treatment", (json_int_t)i,
							    "median", us[i], "median_lo", us[i] / 1.1, "median_hi",
							    us[i] * 1.1, "median_level", 0.95));
	return json_pack("{s:s, s:b, s:{s:s}, s:[], s:s, s:[{s:s, s:s, s:[{s:s, s:o, s:[]}]}]}", "case_id", case_id,
			 "invalid", 0, "surroundings", "machine", machine, "warnings", "point_text", "", "metrics",
			 "name", "wall_us", "unit", "us", "items", "item", "", "treatments", treatments,
			 "comparisons");
}

static void
begin(struct scene *scene, const double kernels_us[3])
{
	scene->study = json_loads(
		"{\"name\": \"s\", \"title\": \"s\", \"experiments\": ["
		" {\"name\": \"roofs\", \"title\": \"Roofs\", \"treatments\": [{\"name\": \"fma\"}, {\"name\": \"triad\"}],"
		"  \"cases\": [{\"case_id\": \"roofs-1\", \"work\": ["
		"   {\"treatment\": 0, \"flops\": 1e8, \"bytes\": 0, \"peak\": null, \"bandwidth\": null},"
		"   {\"treatment\": 1, \"flops\": 0, \"bytes\": 2e7, \"peak\": null, \"bandwidth\": null}]}]},"
		" {\"name\": \"e\", \"title\": \"Kernels\", \"question\": \"\", \"design\": {}, \"metrics\": [{\"name\": \"wall_us\"}],"
		"  \"roofline\": {\"peak\": \"roofs/fma\", \"bandwidth\": \"roofs/triad\"},"
		"  \"treatments\": [{\"name\": \"low\"}, {\"name\": \"high\"}, {\"name\": \"other\"}],"
		"  \"cases\": [{\"case_id\": \"e-1\", \"work\": []}]}]}",
		0, NULL);
	assert_non_null(scene->study);
	{
		static const double flops[] = {1e7, 1e8, 1e7}, bytes[] = {2e7, 2e6, 5e6};
		json_t *work = json_object_get(
			json_array_get(json_object_get(json_array_get(json_object_get(scene->study, "experiments"), 1),
						       "cases"), 0), "work");
		int i;

		for (i = 0; i < 3; i++)
			json_array_append_new(work, json_pack("{s:i, s:f, s:f, s:{s:s, s:i, s:s}, s:{s:s, s:i, s:s}}",
							      "treatment", i, "flops", flops[i], "bytes", bytes[i],
							      "peak", "case_id", "roofs-1", "treatment", 0, "name",
							      "roofs/fma", "bandwidth", "case_id", "roofs-1",
							      "treatment", 1, "name", "roofs/triad"));
	}
	scene->cases = json_pack("{s:o, s:o}", "roofs-1",
				 case_document("roofs-1", "m", 2, (double[]){1000, 1000}), "e-1",
				 case_document("e-1", "m", 3, kernels_us));
}

static json_t *
document(const struct scene *scene, const char *case_id)
{
	return json_object_get(scene->cases, case_id);
}

static const json_t *
point(const struct scene *scene, size_t treatment)
{
	return json_array_get(json_object_get(document(scene, "e-1"), "roofline"), treatment);
}

static void
judge(struct scene *scene)
{
	rates_judge(scene->study, scene->cases);
	roofline_judge(scene->study, scene->cases);
}

static void
end(struct scene *scene)
{
	json_decref(scene->study);
	json_decref(scene->cases);
}

/* low reaches half of its roof of 10 Gflop/s, high 90 % of 100, other 80 % of 40 give or take. */
static const double usual[] = {2000, 1000 / 0.9, 250 / 0.8};

static void
each_kernel_stands_under_its_own_roof(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, usual);
	judge(&scene);
	near(json_get_number(point(&scene, 0), "intensity"), 0.5, 1e-12);
	near(json_get_number(point(&scene, 0), "ridge"), 5, 1e-12);
	near(json_get_number(point(&scene, 0), "attainable"), 1e10, 1);
	near(json_get_number(point(&scene, 0), "achieved"), 5e9, 1);
	near(json_get_number(point(&scene, 0), "share"), 0.5, 1e-12);
	/* 10 % of the kernel's time and 10 % of the roof's, as two legs of a right angle */
	near(json_get_number(point(&scene, 0), "share_lo"), 0.5 * exp(-sqrt(2) * log(1.1)), 1e-12);
	near(json_get_number(point(&scene, 0), "share_hi"), 0.5 * exp(sqrt(2) * log(1.1)), 1e-12);
	assert_string_equal(json_get_text(point(&scene, 0), "bound"), "memory");
	assert_true(json_is_false(json_object_get(point(&scene, 0), "done")));
	assert_string_equal(json_get_text(point(&scene, 1), "bound"), "compute");
	near(json_get_number(point(&scene, 1), "share"), 0.9, 1e-12);
	near(json_get_number(point(&scene, 2), "share"), 0.8, 1e-12);
	/* 0.8 lies inside the interval of the others: nobody knows yet */
	assert_true(json_is_null(json_object_get(point(&scene, 1), "done")));
	assert_true(json_is_null(json_object_get(point(&scene, 2), "done")));
	assert_int_equal(json_array_size(json_object_get(document(&scene, "e-1"), "warnings")), 0);
	end(&scene);
}

static void
what_is_above_its_roof_is_told(void **state)
{
	const json_t *warning;
	struct scene scene;

	(void)state;
	begin(&scene, (double[]){1000 / 1.2, 1000 / 1.04, 250});
	judge(&scene);
	warning = json_array_get(json_object_get(document(&scene, "e-1"), "warnings"), 0);
	assert_int_equal(json_array_size(json_object_get(document(&scene, "e-1"), "warnings")), 1);
	assert_string_equal(json_get_text(warning, "code"), "above_roof");
	assert_non_null(strstr(json_get_text(warning, "text"), "low reaches 120 % of its roof"));
	assert_true(json_is_true(json_object_get(point(&scene, 0), "done")));
	end(&scene);
}

/* What happens to the ceilings, and why then there is no roofline. */
static void
lose_case(struct scene *scene)
{
	json_object_del(scene->cases, "roofs-1");
}

static void
invalidate(struct scene *scene)
{
	json_object_set_new(document(scene, "roofs-1"), "invalid", json_true());
}

static void
move_machine(struct scene *scene)
{
	json_object_set_new(document(scene, "roofs-1"), "surroundings", json_pack("{s:s}", "machine", "n"));
}

static void
lose_time(struct scene *scene)
{
	json_object_set_new(document(scene, "roofs-1"), "metrics", json_array());
}

static void
invalidate_kernel(struct scene *scene)
{
	json_object_set_new(document(scene, "e-1"), "invalid", json_true());
}

static void
without_both_there_is_a_reason(void **state)
{
	static const struct { void (*change)(struct scene *); const char *reason; } ways[] = {
		{lose_case, "roofs/fma is not a part of this report"},
		{invalidate, "roofs/fma is invalid"},
		{move_machine, "roofs/fma was measured on another machine"},
		{lose_time, "roofs/fma was not measured"},
		{invalidate_kernel, "it was not measured validly"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct scene scene;

		begin(&scene, usual);
		ways[i].change(&scene);
		judge(&scene);
		assert_string_equal(json_get_text(point(&scene, 0), "reason"), ways[i].reason);
		assert_true(json_is_null(json_object_get(point(&scene, 0), "share")));
		assert_true(json_is_null(json_object_get(point(&scene, 0), "bound")));
		end(&scene);
	}
}

/* Few groups have a median and no interval of it. */
static void
without_an_interval_the_estimate_decides(void **state)
{
	struct scene scene;
	json_t *times;

	(void)state;
	begin(&scene, usual);
	times = json_object_get(
		json_array_get(json_object_get(json_array_get(json_object_get(document(&scene, "e-1"), "metrics"), 0),
					       "items"), 0), "treatments");
	json_object_set_new(json_array_get(times, 1), "median_lo", json_null());
	json_object_set_new(json_array_get(times, 1), "median_hi", json_null());
	judge(&scene);
	near(json_get_number(point(&scene, 1), "share"), 0.9, 1e-12);
	assert_true(json_is_null(json_object_get(point(&scene, 1), "share_lo")));
	assert_true(json_is_true(json_object_get(point(&scene, 1), "done")));
	end(&scene);
}

/* The ceiling of memory is itself a kernel that computes. */
static void
what_is_its_own_roof_reaches_it_exactly(void **state)
{
	struct scene scene;
	json_t *work;

	(void)state;
	begin(&scene, (double[]){1000, 1000, 250});
	work = json_object_get(json_array_get(json_object_get(json_array_get(json_object_get(scene.study, "experiments"),
									     1), "cases"), 0), "work");
	json_object_set_new(json_array_get(work, 0), "bandwidth",
			    json_pack("{s:s, s:i, s:s}", "case_id", "e-1", "treatment", 0, "name", "e/low"));
	judge(&scene);
	near(json_get_number(point(&scene, 0), "share"), 1, 1e-12);
	near(json_get_number(point(&scene, 0), "share_lo"), 1, 1e-12);
	near(json_get_number(point(&scene, 0), "share_hi"), 1, 1e-12);
	assert_true(json_is_true(json_object_get(point(&scene, 0), "done")));
	end(&scene);
}

/* ---- what readers see ---- */

static void
expect(const struct buffer *text, const char *part)
{
	if (strstr(buffer_text(text), part) == NULL)
		fail_msg("no \"%s\" in: %s", part, buffer_text(text));
}

static void
the_table_and_the_text_tell_it(void **state)
{
	struct scene scene;
	struct buffer table = BUFFER_EMPTY;
	struct report report;
	const json_t *experiment;
	json_t *results, *one;

	(void)state;
	begin(&scene, usual);
	judge(&scene);
	experiment = json_array_get(json_object_get(scene.study, "experiments"), 1);
	report = (struct report){.study = scene.study, .stats = json_pack("{s:O}", "cases", scene.cases)};
	roofline_table_put(&report, experiment, &table);
	expect(&table, "| - | low | 0.5 | 100 Gflop/s, 20 GB/s | 5, memory | 10 Gflop/s | 5 Gflop/s | 50 % [44, 57] | "
		       "below its roof |\n");
	expect(&table, "| - | high | 50 | 100 Gflop/s, 20 GB/s | 5, compute | 100 Gflop/s | 90 Gflop/s | "
		       "90 % [79, 103] | open |\n");
	results = results_document(scene.study, experiment, report.stats, NULL);
	one = json_array_get(json_object_get(results, "cases"), 0);
	near(json_get_number(json_object_get(json_object_get(one, "rooflines"), "low"), "share"), 0.5,
			    1e-12);
	json_decref(results);
	json_decref(report.stats);
	buffer_free(&table);
	end(&scene);
}

static void
the_figure_has_roof_and_points(void **state)
{
	struct buffer data = BUFFER_EMPTY, settings = BUFFER_EMPTY, notes = BUFFER_EMPTY;
	struct figure_input input;
	struct scene scene;
	struct error error;
	json_t *stats, *figure = json_pack("{s:s, s:s, s:{}}", "name", "roofline", "label", "roofline", "options");

	(void)state;
	begin(&scene, usual);
	judge(&scene);
	stats = json_pack("{s:O}", "cases", scene.cases);
	input = (struct figure_input){
		.study = scene.study, .figure = figure, .stats = stats, .folder = "build/report/figures",
		.experiment = json_array_get(json_object_get(scene.study, "experiments"), 1)};
	assert_int_equal(figure_roofline(&input, &data, &settings, &notes, &error), 0);
	/* one roof: from the left edge up to the ridge and on; then a block a point */
	expect(&data, "0,0,5,100000000000,,\n");
	expect(&data, "\n\n\n1,0,0.5,5000000000,");
	expect(&data, "\n\n\n1,2,2,32000000000,");
	expect(&settings, "roof_count = 1\n");
	expect(&settings, "point_count = 3\n");
	expect(&settings, "roof_0 = \"roofs/triad: 20 GB/s; roofs/fma: 100 GFLOP/s; ridge at 5 FLOP/B\"");
	expect(&settings, "point_1 = \"high: 90 % of its roof\"");
	assert_int_equal(notes.length, 0);
	json_decref(stats);
	json_decref(figure);
	buffer_free(&data);
	buffer_free(&settings);
	buffer_free(&notes);
	end(&scene);
}

static void
a_figure_without_points_says_why(void **state)
{
	struct buffer data = BUFFER_EMPTY, settings = BUFFER_EMPTY, notes = BUFFER_EMPTY;
	struct figure_input input;
	struct scene scene;
	struct error error;
	json_t *stats, *figure = json_pack("{s:s, s:s, s:{}}", "name", "roofline", "label", "roofline", "options");

	(void)state;
	begin(&scene, usual);
	invalidate(&scene);
	judge(&scene);
	stats = json_pack("{s:O}", "cases", scene.cases);
	input = (struct figure_input){
		.study = scene.study, .figure = figure, .stats = stats, .folder = "build/report/figures",
		.experiment = json_array_get(json_object_get(scene.study, "experiments"), 1)};
	assert_int_equal(figure_roofline(&input, &data, &settings, &notes, &error), 0);
	expect(&settings, "point_count = 0\n");
	expect(&notes, "low is not shown: roofs/fma is invalid. ");
	json_decref(stats);
	json_decref(figure);
	buffer_free(&data);
	buffer_free(&settings);
	buffer_free(&notes);
	end(&scene);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quotient_widens_by_both),
		cmocka_unit_test(a_quotient_needs_intervals_above_0),
		cmocka_unit_test(a_quotient_covers_the_true_one),
		cmocka_unit_test(each_kernel_stands_under_its_own_roof),
		cmocka_unit_test(what_is_above_its_roof_is_told),
		cmocka_unit_test(without_both_there_is_a_reason),
		cmocka_unit_test(without_an_interval_the_estimate_decides),
		cmocka_unit_test(what_is_its_own_roof_reaches_it_exactly),
		cmocka_unit_test(the_table_and_the_text_tell_it),
		cmocka_unit_test(the_figure_has_roof_and_points),
		cmocka_unit_test(a_figure_without_points_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

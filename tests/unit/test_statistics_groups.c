#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/grouping.h"
#include "analysis/levels.h"

/* The group report and variance by level, mostly where there is little or nothing to say. */

static const struct group_rules trimmed = {.trim_factor = 1.2};

static const double three_groups[9] = {9, 9, 9, 1, 1, 1.1, 1, 1, 5};
static const size_t three_sizes[3] = {3, 3, 3};

static void
first_group_is_listed_and_left_out(void **state)
{
	struct group_summary report[3];
	struct group_pool pool;
	struct group_rules all = {.trim_factor = 1.2, .include_first = true};

	(void)state;
	assert_int_equal(group_report(three_groups, three_sizes, 3, &trimmed, report), STAT_OK);
	assert_true(report[0].mean == 9 && report[0].kept == 3);
	assert_true(report[2].kept == 2 && report[2].n == 3);
	assert_int_equal(group_overall(three_groups, three_sizes, 3, &trimmed, &pool), STAT_OK);
	assert_true(pool.kept == 5 && pool.median == 1);
	assert_int_equal(group_overall(three_groups, three_sizes, 3, &all, &pool), STAT_OK);
	assert_true(pool.kept == 8);
}

static void
slow_group_stays_in_the_pool(void **state)
{
	static const double x[6] = {1, 1, 1, 1, 2, 2};
	static const size_t sizes[3] = {2, 2, 2};
	struct group_pool pool;

	(void)state;
	assert_int_equal(group_overall(x, sizes, 3, &trimmed, &pool), STAT_OK);
	assert_true(pool.kept == 4 && pool.mean == 1.5);
}

/* 1.2 * 3 us is 3600 ns, though 1.2 * 3 is less than 3.6 in binary. */
static void
boundary_of_the_trim_is_kept(void **state)
{
	static const double us[3] = {3, 3, 3.6};
	static const size_t size = 3;
	struct group_rules rules = {.trim_factor = 1.2, .microseconds = true};
	struct group_summary report;

	(void)state;
	assert_int_equal(group_report(us, &size, 1, &rules, &report), STAT_OK);
	assert_int_equal(report.kept, 3);
	/* less than half a nanosecond above is not above */
	group_report((double[]){3, 3, 3.6000004}, &size, 1, &rules, &report);
	assert_int_equal(report.kept, 3);
	assert_int_equal(group_report((double[]){3, 3, 3.601}, &size, 1, &rules, &report), STAT_OK);
	assert_int_equal(report.kept, 2);
}

static void
group_without_numbers_says_why(void **state)
{
	static const double x[7] = {1, 1, NAN, 2, -1, 0, 0};
	static const size_t sizes[5] = {2, 2, 0, 1, 2};
	struct group_summary report[5];
	struct group_pool pool;

	(void)state;
	assert_int_equal(group_report(x, sizes, 5, &trimmed, report), STAT_OK);
	assert_int_equal(report[1].status, STAT_NOT_FINITE);
	assert_int_equal(report[1].sd_status, STAT_NOT_FINITE);
	assert_int_equal(report[1].geomean_status, STAT_NOT_FINITE);
	assert_int_equal(report[2].status, STAT_TOO_FEW);
	assert_int_equal(report[3].status, STAT_NOT_POSITIVE);
	assert_int_equal(report[4].status, STAT_OK);
	assert_int_equal(report[4].geomean_status, STAT_NOT_POSITIVE);
	assert_true(isnan(report[1].mean) && isnan(report[2].median) && isnan(report[3].sd) &&
		    isnan(report[4].geomean) && report[4].mean == 0);
	assert_int_equal(group_overall(x, sizes, 5, &trimmed, &pool), STAT_NOT_FINITE);
	assert_true(isnan(pool.mean) && isnan(pool.sd) && pool.kept == 0);
	assert_int_equal(group_report(x, sizes, 0, &trimmed, report), STAT_TOO_FEW);
}

static void
one_sample_has_no_spread(void **state)
{
	static const size_t sizes[2] = {1, 1};
	struct group_summary report[2];
	struct group_pool pool;

	(void)state;
	group_report((double[]){1, 2}, sizes, 2, &trimmed, report);
	assert_true(report[1].mean == 2 && isnan(report[1].sd));
	assert_int_equal(report[1].sd_status, STAT_TOO_FEW);
	assert_int_equal(group_overall((double[]){1, 2}, sizes, 2, &trimmed, &pool), STAT_OK);
	assert_int_equal(pool.sd_status, STAT_TOO_FEW);
	assert_true(isnan(pool.sd));
	assert_int_equal(group_overall((double[]){1}, sizes, 1, &trimmed, &pool), STAT_TOO_FEW);
}

static enum stat_status
check_means(const double *x, size_t groups, double tolerance, struct group_checks *out)
{
	static const size_t sizes[4] = {1, 1, 1, 1};
	double vs_overall[4], adjacent[4];
	struct group_summary report[4];
	struct group_pool pool;
	enum stat_status status;

	group_report(x, sizes, groups, &trimmed, report);
	group_overall(x, sizes, groups, &trimmed, &pool);
	status = group_checks(report, groups, &pool, &trimmed, GROUP_MEAN, tolerance, vs_overall,
			      adjacent, out);
	for (size_t g = 0; g < groups; g++)
		assert_true(status == STAT_OK ? g + 1 >= groups || isfinite(vs_overall[g])
					      : isnan(vs_overall[g]) && isnan(adjacent[g]));
	return status;
}

/* 1.05 and 0.95 about 1: in floating point a hair more than 5 %, in truth exactly that. */
static void
exactly_the_tolerance_is_within_it(void **state)
{
	struct group_checks checks;

	(void)state;
	assert_int_equal(check_means((double[]){9, 1.05, 1, 0.95}, 4, 0.05, &checks), STAT_OK);
	assert_true(checks.stable);
	assert_int_equal(check_means((double[]){9, 1.06, 1, 0.94}, 4, 0.05, &checks), STAT_OK);
	assert_false(checks.stable);
	assert_int_equal(checks.flagged_overall, 2);
	assert_int_equal(checks.flagged_adjacent, 2);
}

static void
checks_need_two_groups_and_positive_values(void **state)
{
	struct group_checks checks;

	(void)state;
	assert_int_equal(check_means((double[]){9, 1}, 2, 0.05, &checks), STAT_TOO_FEW);
	assert_false(checks.stable);
	assert_int_equal(check_means((double[]){9, 0, 0}, 3, 0.05, &checks), STAT_NOT_POSITIVE);
	assert_int_equal(check_means((double[]){9, 1, NAN}, 3, 0.05, &checks), STAT_NOT_FINITE);
	assert_int_equal(check_means((double[]){9, 1, 1}, 3, NAN, &checks), STAT_BAD_ARGUMENT);
	assert_false(checks.stable);
	assert_int_equal(check_means((double[]){9, 1e300, 1e300}, 3, 0.05, &checks), STAT_OK);
	assert_int_equal(check_means((double[]){9, 1e-300, 1e-300}, 3, 0.05, &checks), STAT_OK);
}

static void
levels_refuse_what_has_no_variance_by_level(void **state)
{
	static const double x[4] = {1, 2, 3, 4}, bad[4] = {1, 2, NAN, 4};
	static const size_t reps[2] = {2, 2}, single[2] = {4, 1};
	struct kalibera_jones out;

	(void)state;
	assert_int_equal(levels_kalibera_jones(x, reps, 2, 0.95, &out), STAT_OK);
	assert_int_equal(levels_kalibera_jones(x, single, 2, 0.95, &out), STAT_TOO_FEW);
	assert_true(isnan(out.mean) && isnan(out.half_width) && isnan(out.s2[0]));
	assert_int_equal(levels_kalibera_jones(bad, reps, 2, 0.95, &out), STAT_NOT_FINITE);
	assert_int_equal(levels_kalibera_jones(x, reps, 0, 0.95, &out), STAT_BAD_ARGUMENT);
	assert_int_equal(levels_kalibera_jones(x, reps, 2, 1, &out), STAT_BAD_ARGUMENT);
	assert_int_equal(levels_kalibera_jones((double[]){1e300, 2e300, 3, 4}, reps, 2, 0.95, &out),
			 STAT_OVERFLOW);
	assert_int_equal(
		levels_kalibera_jones((double[]){1e-300, 2e-300, 0, 0}, reps, 2, 0.95, &out),
		STAT_OVERFLOW);
	assert_true(isnan(out.mean) && isnan(out.t2[1]));
}

static void
ratio_without_a_bounded_interval_has_none(void **state)
{
	struct kalibera_jones sure = {.mean = 2, .half_width = 0.1};
	struct kalibera_jones vague = {.mean = 1, .half_width = 1.5};
	struct kalibera_jones zero = {.mean = 0, .half_width = 0.1};
	struct kalibera_jones missing = {.mean = NAN, .half_width = NAN};
	struct levels_ratio out;

	(void)state;
	assert_int_equal(levels_ratio(&sure, &sure, &out), STAT_OK);
	assert_int_equal(out.interval, STAT_OK);
	assert_true(out.lo < 1 && out.hi > 1);
	assert_int_equal(levels_ratio(&vague, &sure, &out), STAT_OK);
	assert_true(out.ratio == 2 && isnan(out.lo) && isnan(out.hi));
	assert_int_equal(out.interval, STAT_NO_INTERVAL);
	assert_int_equal(levels_ratio(&zero, &sure, &out), STAT_NOT_POSITIVE);
	assert_int_equal(levels_ratio(&sure, &missing, &out), STAT_NOT_FINITE);
	assert_true(isnan(out.ratio));
}

static void
repetitions_need_variance_on_both_levels(void **state)
{
	struct kalibera_jones measured = {.levels = 3, .t2 = {4, -1, 1}};
	static const double costs[3] = {1, 4, 16};
	double r[2];

	(void)state;
	assert_int_equal(levels_reps(&measured, costs, r), STAT_OK);
	assert_true(isnan(r[0]) && isnan(r[1]));
	measured.t2[0] = -4;
	assert_int_equal(levels_reps(&measured, costs, r), STAT_OK);
	assert_true(isnan(r[0]));
	measured.t2[0] = 4;
	measured.t2[1] = 1;
	assert_int_equal(levels_reps(&measured, costs, r), STAT_OK);
	assert_true(r[0] == 4 && r[1] == 2);
	assert_int_equal(levels_reps(&measured, (double[]){1, 0, 1}, r), STAT_NOT_POSITIVE);
	assert_true(isnan(r[0]));
	measured.levels = 1;
	assert_int_equal(levels_reps(&measured, costs, r), STAT_TOO_FEW);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_group_is_listed_and_left_out),
		cmocka_unit_test(slow_group_stays_in_the_pool),
		cmocka_unit_test(boundary_of_the_trim_is_kept),
		cmocka_unit_test(group_without_numbers_says_why),
		cmocka_unit_test(one_sample_has_no_spread),
		cmocka_unit_test(exactly_the_tolerance_is_within_it),
		cmocka_unit_test(checks_need_two_groups_and_positive_values),
		cmocka_unit_test(levels_refuse_what_has_no_variance_by_level),
		cmocka_unit_test(ratio_without_a_bounded_interval_has_none),
		cmocka_unit_test(repetitions_need_variance_on_both_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

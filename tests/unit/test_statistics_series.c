#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analysis/changepoint.h"
#include "analysis/dependence.h"
#include "analysis/modes.h"
#include "analysis/trend.h"

/*
 * Degenerate data: whatever the values are, a statistic on a series answers finite numbers, or
 * a reason and no number at all.
 */

#define RESULTS 4

/* A statistic with its doubles laid out; unused entries are 0. */
typedef enum stat_status probe_run(const double *x, size_t n, double out[RESULTS]);

static enum stat_status
probe_theil_sen(const double *x, size_t n, double out[RESULTS])
{
	struct theil_sen result;
	enum stat_status status = trend_theil_sen(x, n, &result);

	out[0] = result.slope;
	out[1] = result.intercept;
	/* may be missing alone, for a median of 0 */
	out[2] = status == STAT_OK ? 0 : result.total_drift_rel;
	return status;
}

static enum stat_status
probe_mann_kendall(const double *x, size_t n, double out[RESULTS])
{
	struct mann_kendall result;
	enum stat_status status = trend_mann_kendall(x, n, &result);

	memcpy(out, (double[]){result.s, result.var, result.z, result.p}, RESULTS * sizeof(*out));
	return status;
}

static enum stat_status
probe_mann_kendall_exact(const double *x, size_t n, double out[RESULTS])
{
	return trend_mann_kendall_exact(x, n, out);
}

static enum stat_status
probe_acf1(const double *x, size_t n, double out[RESULTS])
{
	return dependence_acf1(x, n, out);
}

static enum stat_status
probe_ljung_box(const double *x, size_t n, double out[RESULTS])
{
	struct ljung_box result;
	enum stat_status status = dependence_ljung_box(x, n, 1, &result);

	out[0] = result.q;
	out[1] = result.p;
	return status;
}

static enum stat_status
probe_ess_geyer(const double *x, size_t n, double out[RESULTS])
{
	struct ess_geyer result;
	enum stat_status status = dependence_ess_geyer(x, n, &result);

	out[0] = result.tau;
	out[1] = result.ess;
	return status;
}

static enum stat_status
probe_ess_ar1(const double *x, size_t n, double out[RESULTS])
{
	return dependence_ess_ar1(x, n, out);
}

static enum stat_status
probe_pettitt(const double *x, size_t n, double out[RESULTS])
{
	struct pettitt result;
	enum stat_status status = changepoint_pettitt(x, n, &result);

	out[0] = result.k;
	out[1] = result.p;
	assert_true(status == STAT_OK ? result.index >= 1 && result.index < n : result.index == 0);
	return status;
}

static enum stat_status
probe_amoc_mean(const double *x, size_t n, double out[RESULTS])
{
	struct changepoint_split result;
	enum stat_status status = changepoint_amoc_mean(x, n, &result);

	out[0] = result.rss;
	out[1] = result.mean_before;
	out[2] = result.mean_after;
	assert_true(status == STAT_OK ? result.index >= 1 && result.index < n : result.index == 0);
	return status;
}

static enum stat_status
probe_pelt_mean(const double *x, size_t n, double out[RESULTS])
{
	struct changepoints result;
	size_t index[32];
	enum stat_status status = changepoint_pelt_mean(x, n, 3, 2, index, &result);

	out[0] = result.sigma;
	assert_true(result.count <= n / 2 && (status == STAT_OK || result.count == 0));
	return status;
}

static enum stat_status
probe_pelt_meanvar(const double *x, size_t n, double out[RESULTS])
{
	struct changepoints result;
	size_t index[32];
	enum stat_status status = changepoint_pelt_meanvar(x, n, 15, 2, 1e-4, index, &result);

	assert_true(result.count <= n / 2 && (status == STAT_OK || result.count == 0));
	out[0] = status == STAT_OK ? 0 : NAN;
	return status;
}

static enum stat_status
probe_dip(const double *x, size_t n, double out[RESULTS])
{
	return modes_dip(x, n, out);
}

static enum stat_status
probe_dip_test(const double *x, size_t n, double out[RESULTS])
{
	struct dip_test result;
	enum stat_status status = modes_dip_test(x, n, 10, 1, &result);

	out[0] = result.dip;
	out[1] = result.p;
	return status;
}

static const struct {
	const char *name;
	probe_run *run;
	size_t least;              /* fewest values */
	enum stat_status constant; /* its answer to equal values */
} probes[] = {
	{"theil_sen", probe_theil_sen, 2, STAT_OK},
	{"mann_kendall", probe_mann_kendall, 2, STAT_OK},
	{"mann_kendall_exact", probe_mann_kendall_exact, 2, STAT_TIES},
	{"acf1", probe_acf1, 2, STAT_CONSTANT},
	{"ljung_box", probe_ljung_box, 2, STAT_CONSTANT},
	{"ess_geyer", probe_ess_geyer, 2, STAT_CONSTANT},
	{"ess_ar1", probe_ess_ar1, 2, STAT_CONSTANT},
	{"pettitt", probe_pettitt, 2, STAT_CONSTANT},
	{"amoc_mean", probe_amoc_mean, 2, STAT_CONSTANT},
	{"pelt_mean", probe_pelt_mean, 4, STAT_OK},
	{"pelt_meanvar", probe_pelt_meanvar, 4, STAT_OK},
	{"dip", probe_dip, 2, STAT_CONSTANT},
	{"dip_test", probe_dip_test, 2, STAT_CONSTANT},
};

#define PROBES (sizeof(probes) / sizeof(*probes))

/* Runs a probe; holds that it gives all its numbers or none, and leaves its input alone. */
static enum stat_status
call(size_t probe, const double *x, size_t n, double out[RESULTS])
{
	double copy[32];
	enum stat_status status;

	memset(out, 0, RESULTS * sizeof(*out));
	memcpy(copy, x, n * sizeof(*x));
	status = probes[probe].run(x, n, out);
	assert_memory_equal(copy, x, n * sizeof(*x));
	for (size_t i = 0; i < RESULTS; i++) {
		bool is_a_number =
			status == STAT_OK ? isfinite(out[i]) : isnan(out[i]) || out[i] == 0;
		if (!is_a_number)
			fail_msg("%s: status %d with %g", probes[probe].name, (int)status, out[i]);
	}
	if (status != STAT_OK && !isnan(out[0]))
		fail_msg("%s: status %d with a number", probes[probe].name, (int)status);
	return status;
}

static void
expect(size_t probe, const double *x, size_t n, enum stat_status expected)
{
	double out[RESULTS];
	enum stat_status status = call(probe, x, n, out);

	if (status != expected)
		fail_msg("%s of %zu values: status %d, not %d", probes[probe].name, n, (int)status,
			 (int)expected);
}

static const double eight[8] = {3, 1, 4, 1.5, 5, 9, 2, 6};

static void
too_few_values_are_unavailable(void **state)
{
	(void)state;
	for (size_t p = 0; p < PROBES; p++) {
		for (size_t n = 0; n < probes[p].least; n++)
			expect(p, eight, n, STAT_TOO_FEW);
		expect(p, eight, probes[p].least, STAT_OK);
	}
}

static void
values_that_are_not_finite_are_refused(void **state)
{
	static const double bad[] = {NAN, INFINITY, -INFINITY};

	(void)state;
	for (size_t p = 0; p < PROBES; p++) {
		for (size_t i = 0; i < 3; i++) {
			double x[8];

			memcpy(x, eight, sizeof(x));
			x[i * 3] = bad[i];
			expect(p, x, 8, STAT_NOT_FINITE);
			expect(p, &bad[i], 1, STAT_NOT_FINITE);
		}
	}
}

static void
equal_values_give_no_made_up_number(void **state)
{
	static const double levels[] = {0.1, 1.25, 1e300, 1e-300, -3};

	(void)state;
	for (size_t p = 0; p < PROBES; p++) {
		for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
			double x[9];

			for (size_t k = 0; k < 9; k++)
				x[k] = levels[i];
			expect(p, x, 9, probes[p].constant);
		}
	}
}

static void
zeros_and_negative_values_do_no_harm(void **state)
{
	double zeros[8] = {0}, mixed[8] = {-1, 0, 2, 0, -3, 4, 0, 0}, out[RESULTS];

	(void)state;
	for (size_t p = 0; p < PROBES; p++) {
		call(p, zeros, 8, out);
		call(p, mixed, 8, out);
	}
}

static void
extreme_values_give_a_number_or_a_reason(void **state)
{
	static const double scales[] = {1e-300, 1e300, 5e-324, 1.7e307};
	double spread[8] = {1e-300, 1e300, -1e300, 0, 1e-300, 1.7e308, -1.7e308, 3};
	double out[RESULTS];

	(void)state;
	for (size_t p = 0; p < PROBES; p++) {
		for (size_t s = 0; s < 4; s++) {
			double x[8];

			for (size_t i = 0; i < 8; i++)
				x[i] = eight[i] * scales[s];
			call(p, x, 8, out);
		}
		call(p, spread, 8, out);
	}
}

/* Squares of these don't fit a double: that is no residual of 0. */
static void
residual_too_small_for_a_double_is_unavailable(void **state)
{
	struct changepoint_split out;

	(void)state;
	assert_int_equal(changepoint_amoc_mean((double[]){1e-300, 2e-300, 4e-300}, 3, &out),
			 STAT_OVERFLOW);
	assert_true(isnan(out.rss) && isnan(out.mean_before) && out.index == 0);
	assert_int_equal(changepoint_amoc_mean((double[]){1e-300, 2e-300}, 2, &out), STAT_OK);
	assert_true(out.rss == 0 && out.index == 1);
}

/* Statistics without a unit don't change with it, however small or large it makes the values. */
static void
numbers_without_unit_do_not_depend_on_it(void **state)
{
	static const double scales[] = {1e-300, 1e300};

	(void)state;
	for (size_t p = 0; p < PROBES; p++) {
		double plain[RESULTS], scaled[RESULTS], x[8];

		if (probes[p].run == probe_theil_sen || probes[p].run == probe_amoc_mean ||
		    probes[p].run == probe_pelt_mean)
			continue;
		for (size_t s = 0; s < 2; s++) {
			for (size_t i = 0; i < 8; i++)
				x[i] = eight[i] * scales[s];
			assert_int_equal(call(p, eight, 8, plain), STAT_OK);
			assert_int_equal(call(p, x, 8, scaled), STAT_OK);
			for (size_t i = 0; i < RESULTS; i++)
				assert_true(fabs(scaled[i] - plain[i]) <= 1e-12 * fabs(plain[i]));
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_few_values_are_unavailable),
		cmocka_unit_test(values_that_are_not_finite_are_refused),
		cmocka_unit_test(equal_values_give_no_made_up_number),
		cmocka_unit_test(zeros_and_negative_values_do_no_harm),
		cmocka_unit_test(extreme_values_give_a_number_or_a_reason),
		cmocka_unit_test(residual_too_small_for_a_double_is_unavailable),
		cmocka_unit_test(numbers_without_unit_do_not_depend_on_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

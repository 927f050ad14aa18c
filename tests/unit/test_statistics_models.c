#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/concurrency.h"
#include "analysis/roofline.h"
#include "analysis/scaling.h"
#include "analysis/scaling_fit.h"
#include "analysis/usl.h"

/* Models: arguments and measurements they don't hold for, bounds, and intervals. */

#define RESULTS 5
#define POINTS 8

static const double processors[POINTS] = {1, 2, 3, 4, 6, 8, 12, 16};

/* A fit to (p, y) with its doubles laid out; unused entries are 0. */
typedef enum stat_status fit_run(const double *p, const double *y, size_t n, double out[RESULTS]);

static enum stat_status
fit_amdahl_times(const double *p, const double *y, size_t n, double out[RESULTS])
{
	struct amdahl_times fit;
	enum stat_status status = scaling_fit_amdahl_times(p, y, n, 0.95, &fit);

	out[0] = fit.serial_time;
	out[1] = fit.parallel_time;
	out[2] = fit.serial.value;
	return status;
}

static enum stat_status
fit_amdahl_speedup(const double *p, const double *y, size_t n, double out[RESULTS])
{
	struct scaling_fraction fit;
	enum stat_status status = scaling_fit_amdahl_speedup(p, y, n, 0.95, &fit);

	out[0] = fit.value;
	return status;
}

static enum stat_status
fit_gustafson(const double *p, const double *y, size_t n, double out[RESULTS])
{
	struct scaling_fraction fit;
	enum stat_status status = scaling_fit_gustafson(p, y, n, 0.95, &fit);

	out[0] = fit.value;
	return status;
}

static enum stat_status
fit_power_law(const double *p, const double *y, size_t n, double out[RESULTS])
{
	struct power_law fit;
	enum stat_status status = scaling_fit_power_law(p, y, n, 0.95, &fit);

	out[0] = fit.exponent;
	out[1] = fit.log_coef;
	return status;
}

static enum stat_status
fit_usl(const double *p, const double *y, size_t n, double out[RESULTS])
{
	struct usl fit;
	enum stat_status status = usl_fit(p, y, n, 0.95, &fit);

	out[0] = fit.gamma.value;
	out[1] = fit.alpha.value;
	out[2] = fit.beta.value;
	out[3] = fit.sse;
	return status;
}

static enum stat_status
fit_usl_linear(const double *p, const double *y, size_t n, double out[RESULTS])
{
	struct usl_linear fit;
	enum stat_status status = usl_fit_linear(p, y, n, 0.95, &fit);

	out[0] = fit.alpha.value;
	out[1] = fit.beta.value;
	return status;
}

static enum stat_status
fit_karp_flatt(const double *p, const double *y, size_t n, double out[RESULTS])
{
	double e[POINTS];
	enum stat_status status = scaling_karp_flatt(p, y, n, e);

	for (size_t i = 0; i < n; i++)
		assert_true(status == STAT_OK && p[i] > 1 ? isfinite(e[i]) : isnan(e[i]));
	out[0] = status == STAT_OK ? 0 : NAN;
	return status;
}

static const struct {
	const char *name;
	fit_run *run;
	size_t least; /* fewest points */
} fits[] = {
	{"amdahl_times", fit_amdahl_times, 2},
	{"amdahl_speedup", fit_amdahl_speedup, 2},
	{"gustafson", fit_gustafson, 2},
	{"power_law", fit_power_law, 2},
	{"usl", fit_usl, 3},
	{"usl_linear", fit_usl_linear, 3},
	{"karp_flatt", fit_karp_flatt, 1},
};

#define FITS (sizeof(fits) / sizeof(*fits))

/* All of a fit's numbers or none. */
static enum stat_status
call(size_t f, const double *p, const double *y, size_t n)
{
	double out[RESULTS] = {0};
	enum stat_status status = fits[f].run(p, y, n, out);

	for (size_t i = 0; i < RESULTS; i++) {
		bool is_a_number =
			status == STAT_OK ? isfinite(out[i]) : isnan(out[i]) || out[i] == 0;
		if (!is_a_number)
			fail_msg("%s: status %d with %g", fits[f].name, (int)status, out[i]);
	}
	if (status != STAT_OK && !isnan(out[0]))
		fail_msg("%s: status %d with a number", fits[f].name, (int)status);
	return status;
}

static void
expect(size_t f, const double *p, const double *y, size_t n, enum stat_status expected)
{
	enum stat_status status = call(f, p, y, n);

	if (status != expected)
		fail_msg("%s of %zu points: status %d, not %d", fits[f].name, n, (int)status,
			 (int)expected);
}

static const double times[POINTS] = {10, 5.5, 3.9, 3.2, 2.5, 2.1, 1.8, 1.6};

static void
fits_need_enough_points(void **state)
{
	(void)state;
	for (size_t f = 0; f < FITS; f++) {
		for (size_t n = 0; n < fits[f].least; n++)
			expect(f, processors, times, n, STAT_TOO_FEW);
		expect(f, processors, times, fits[f].least, STAT_OK);
	}
}

static void
fits_need_different_processor_counts(void **state)
{
	static const double ones[POINTS] = {1, 1, 1, 1, 1, 1, 1, 1};

	(void)state;
	for (size_t f = 0; f < FITS; f++) {
		if (fits[f].run != fit_karp_flatt)
			expect(f, ones, times, POINTS, STAT_TOO_FEW);
	}
}

static void
bad_values_are_refused(void **state)
{
	static const struct {
		double value;
		enum stat_status status;
	} bad[] = {
		{NAN, STAT_NOT_FINITE}, {INFINITY, STAT_NOT_FINITE}, {-INFINITY, STAT_NOT_FINITE},
		{0, STAT_NOT_POSITIVE}, {-1, STAT_NOT_POSITIVE},
	};

	(void)state;
	for (size_t f = 0; f < FITS; f++) {
		for (size_t b = 0; b < sizeof(bad) / sizeof(*bad); b++) {
			double y[POINTS], p[POINTS];

			memcpy(y, times, sizeof(y));
			y[3] = bad[b].value;
			expect(f, processors, y, POINTS, bad[b].status);
			memcpy(p, processors, sizeof(p));
			p[3] = bad[b].value;
			assert_int_not_equal(call(f, p, times, POINTS), STAT_OK);
		}
	}
}

static void
extreme_values_give_a_fit_or_a_reason(void **state)
{
	static const double scales[] = {1e-300, 1e300, 5e-324, 1e307};

	(void)state;
	for (size_t f = 0; f < FITS; f++) {
		double y[POINTS] = {1e300, 1e-300, 1, 1e-300, 1e300, 1, 1, 1e-5};
		double equal[POINTS] = {2, 2, 2, 2, 2, 2, 2, 2};

		call(f, processors, y, POINTS);
		call(f, processors, equal, POINTS);
		for (size_t s = 0; s < 4; s++) {
			for (size_t i = 0; i < POINTS; i++)
				y[i] = times[i] * scales[s];
			call(f, processors, y, POINTS);
			call(f, y, times, POINTS);
		}
	}
}

/* A law's own values give its parameters back, with an interval about them. */
static void
exact_data_give_the_parameters_back(void **state)
{
	double t[POINTS], s[POINTS], x[POINTS];
	struct amdahl_times line;
	struct scaling_fraction fraction;
	struct usl usl;

	(void)state;
	for (size_t i = 0; i < POINTS; i++) {
		double p = processors[i];
		t[i] = 2 + 8 / p;
		s[i] = p - 0.1 * (p - 1);
		x[i] = 50 * p / (1 + 0.03 * (p - 1) + 0.001 * p * (p - 1));
	}
	assert_int_equal(scaling_fit_amdahl_times(processors, t, POINTS, 0.95, &line), STAT_OK);
	assert_true(fabs(line.serial.value - 0.2) < 1e-12 && fabs(line.r2 - 1) < 1e-12);
	assert_true(line.serial.interval == STAT_OK && line.serial.hi - line.serial.lo < 1e-6);
	scaling_fit_amdahl_speedup(processors, t, POINTS, 0.95, &fraction);
	assert_true(fabs(fraction.value - 0.2) < 1e-9 && fraction.interval == STAT_OK);
	scaling_fit_gustafson(processors, s, POINTS, 0.95, &fraction);
	assert_true(fabs(fraction.value - 0.1) < 1e-12 && fraction.interval == STAT_OK);
	assert_int_equal(usl_fit(processors, x, POINTS, 0.95, &usl), STAT_OK);
	assert_true(fabs(usl.gamma.value - 50) < 1e-6 && fabs(usl.alpha.value - 0.03) < 1e-8 &&
		    fabs(usl.beta.value - 0.001) < 1e-9);
	assert_true(fabs(usl.peak_p - sqrt(0.97 / 0.001)) < 1e-3);
	assert_true(usl.alpha.lo <= usl.alpha.value && usl.alpha.value <= usl.alpha.hi);
}

static double
noise(uint64_t *seed)
{
	double sum = -6;

	for (int i = 0; i < 12; i++) {
		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		sum += (double)(*seed >> 11) / 9007199254740992.0;
	}
	return sum;
}

/* Nominal 95 %; with 1,000 rounds 930 to 970 is within three standard deviations. */
static void
intervals_cover_as_often_as_they_say(void **state)
{
	int line = 0, usl_alpha = 0, power = 0;
	uint64_t seed = 3;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		double t[POINTS], x[POINTS], y[POINTS];
		struct amdahl_times amdahl;
		struct power_law law;
		struct usl usl;

		for (size_t i = 0; i < POINTS; i++) {
			double p = processors[i];
			t[i] = 2 + 8 / p + 0.01 * noise(&seed);
			x[i] = 50 * p / (1 + 0.1 * (p - 1) + 0.01 * p * (p - 1)) + noise(&seed);
			y[i] = 3 * pow(p, 1.5) * exp(0.05 * noise(&seed));
		}
		scaling_fit_amdahl_times(processors, t, POINTS, 0.95, &amdahl);
		line += amdahl.serial.lo <= 0.2 && 0.2 <= amdahl.serial.hi;
		usl_fit(processors, x, POINTS, 0.95, &usl);
		usl_alpha += usl.alpha.lo <= 0.1 && 0.1 <= usl.alpha.hi;
		scaling_fit_power_law(processors, y, POINTS, 0.95, &law);
		power += law.exp_lo <= 1.5 && 1.5 <= law.exp_hi;
	}
	assert_in_range(line, 930, 970);
	assert_in_range(usl_alpha, 930, 970);
	assert_in_range(power, 930, 970);
}

/* Throughput that grows faster than p asks for less contention than none. */
static void
bounds_hold_and_say_so(void **state)
{
	double x[POINTS], t[POINTS];
	struct scaling_fraction fraction;
	struct usl usl;

	(void)state;
	for (size_t i = 0; i < POINTS; i++) {
		x[i] = pow(processors[i], 1.2);
		t[i] = 10 / x[i];
	}
	assert_int_equal(usl_fit(processors, x, POINTS, 0.95, &usl), STAT_OK);
	assert_true(usl.alpha.value == 0 && usl.beta.value == 0);
	assert_true(usl.alpha_at_bound && usl.beta_at_bound);
	assert_true(isnan(usl.alpha.lo) && isnan(usl.peak_p));
	assert_int_equal(scaling_fit_amdahl_speedup(processors, t, POINTS, 0.95, &fraction),
			 STAT_OK);
	assert_true(fraction.value == 0 && isnan(fraction.lo));
	assert_int_equal(fraction.interval, STAT_NO_INTERVAL);
}

/* As many points as parameters pass through all of them, which says nothing of the error. */
static void
no_more_points_than_parameters_give_no_interval(void **state)
{
	struct usl usl;
	struct usl_linear linear;
	struct amdahl_times line;
	struct power_law law;

	(void)state;
	assert_int_equal(usl_fit(processors, times, 3, 0.95, &usl), STAT_OK);
	assert_true(isnan(usl.gamma.lo) && isnan(usl.alpha.hi));
	assert_int_equal(usl_fit_linear(processors, times, 3, 0.95, &linear), STAT_OK);
	assert_true(isnan(linear.alpha.lo) && isnan(linear.beta.hi));
	assert_int_equal(scaling_fit_amdahl_times(processors, times, 2, 0.95, &line), STAT_OK);
	assert_int_equal(line.serial.interval, STAT_NO_INTERVAL);
	assert_true(isnan(line.serial.lo));
	assert_int_equal(scaling_fit_power_law(processors, times, 2, 0.95, &law), STAT_OK);
	assert_int_equal(law.interval, STAT_NO_INTERVAL);
	assert_true(isnan(law.exp_lo));
}

static void
formulas_refuse_what_they_do_not_hold_for(void **state)
{
	struct amdahl amdahl;
	struct gustafson gustafson;
	struct work_span span;
	struct two_phase phases;
	struct speedup speedup;

	(void)state;
	assert_int_equal(scaling_amdahl(0, 64, &amdahl), STAT_OK);
	assert_true(amdahl.speedup == 64 && isnan(amdahl.limit));
	assert_int_equal(scaling_amdahl(-0.1, 64, &amdahl), STAT_BAD_ARGUMENT);
	assert_int_equal(scaling_amdahl(0.1, 0, &amdahl), STAT_BAD_ARGUMENT);
	assert_int_equal(scaling_amdahl(NAN, 64, &amdahl), STAT_NOT_FINITE);
	assert_true(isnan(amdahl.speedup) && isnan(amdahl.efficiency));
	assert_int_equal(scaling_gustafson(1.1, 64, &gustafson), STAT_BAD_ARGUMENT);
	assert_true(isnan(gustafson.speedup));
	assert_int_equal(scaling_work_span(1, 2, 4, &span), STAT_BAD_ARGUMENT);
	assert_int_equal(scaling_work_span(1, 0, 4, &span), STAT_NOT_POSITIVE);
	assert_int_equal(scaling_work_span(1e300, 1e-300, 4, &span), STAT_OVERFLOW);
	assert_true(isnan(span.parallelism) && isnan(span.bound));
	assert_int_equal(scaling_two_phase(0, 4, &phases), STAT_NOT_POSITIVE);
	assert_int_equal(scaling_two_phase(1e-300, 1e300, &phases), STAT_OVERFLOW);
	assert_true(isnan(phases.optimum_p));
	assert_int_equal(scaling_speedup(10, 2, 4, &speedup), STAT_OK);
	assert_true(speedup.speedup == 5 && speedup.superlinear);
	assert_int_equal(scaling_speedup(10, 0, 4, &speedup), STAT_NOT_POSITIVE);
	assert_true(isnan(speedup.efficiency));
}

static void
roofline_refuses_work_that_is_not_there(void **state)
{
	static const double bad[] = {0, -1, NAN, INFINITY};
	struct roofline_kernel kernel;
	struct traffic_ceiling ceiling;
	double ridge;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		enum stat_status expected = isfinite(bad[i]) ? STAT_NOT_POSITIVE : STAT_NOT_FINITE;

		for (size_t at = 0; at < 5; at++) {
			double v[5] = {1e11, 1e10, 1e9, 1e9, 1};

			v[at] = bad[i];
			assert_int_equal(roofline_kernel(v[0], v[1], v[2], v[3], v[4], &kernel),
					 expected);
			assert_true(isnan(kernel.efficiency) && isnan(kernel.point.attainable));
		}
		assert_int_equal(roofline_traffic_ceiling(bad[i], 0.5, 2, &ceiling), expected);
	}
	assert_int_equal(roofline_ridge(1e300, 1e-300, &ridge), STAT_OVERFLOW);
	assert_int_equal(roofline_ridge(1e-300, 1e300, &ridge), STAT_OVERFLOW);
	assert_true(isnan(ridge));
	assert_int_equal(roofline_traffic_ceiling(1, 1.5, 2, &ceiling), STAT_BAD_ARGUMENT);
	assert_int_equal(roofline_traffic_ceiling(1, 0.5, 0, &ceiling), STAT_BAD_ARGUMENT);
	assert_true(isnan(ceiling.time) && isnan(ceiling.speedup));
}

static void
lines_in_flight_are_rounded_up_but_for_rounding(void **state)
{
	struct little out;

	(void)state;
	assert_int_equal(concurrency_little(12.8e9, 70e-9, 64, &out), STAT_OK);
	assert_true(out.whole_lines == 14);
	assert_int_equal(concurrency_little(1, 1e-12, 64, &out), STAT_OK);
	assert_true(out.whole_lines == 1);
	assert_int_equal(concurrency_little(1, 0, 64, &out), STAT_NOT_POSITIVE);
	assert_int_equal(concurrency_little(1e300, 1e300, 64, &out), STAT_OVERFLOW);
	assert_int_equal(concurrency_little(NAN, 1, 64, &out), STAT_NOT_FINITE);
	assert_true(isnan(out.bytes) && isnan(out.whole_lines));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fits_need_enough_points),
		cmocka_unit_test(fits_need_different_processor_counts),
		cmocka_unit_test(bad_values_are_refused),
		cmocka_unit_test(extreme_values_give_a_fit_or_a_reason),
		cmocka_unit_test(exact_data_give_the_parameters_back),
		cmocka_unit_test(intervals_cover_as_often_as_they_say),
		cmocka_unit_test(bounds_hold_and_say_so),
		cmocka_unit_test(no_more_points_than_parameters_give_no_interval),
		cmocka_unit_test(formulas_refuse_what_they_do_not_hold_for),
		cmocka_unit_test(roofline_refuses_work_that_is_not_there),
		cmocka_unit_test(lines_in_flight_are_rounded_up_but_for_rounding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

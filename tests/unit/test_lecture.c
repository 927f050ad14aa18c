/*
 * Every worked number of the lecture on performance analysis (Lecture 14) by our formulas, under the
 * number of its section. Digits are those that the lecture prints, or one unit of its last digit
 * where it rounds otherwise.
 *
 * 2.3  samples of a profiler for a share; the error of three samples
 * 2.4  ridge of 768 GFLOP/s over 20 GB/s
 * 2.6  work 13 over span 4
 * 3.1  bytes and operations of the blurred image
 * 3.2  counters in one cache line
 * 3.3  SAXPY on a GPU
 * 4.1  intensity and roof of the blurs
 * 4.2  two phases, Amdahl, Karp and Flatt, Gustafson, the machine of 148,635,648 ALUs
 * 4.3  bytes and lines in flight
 * 4.4  repetitions for 1 %
 * 4.6  what halving the traffic can do to 32 ms
 * 7    questions 2 and 3: bounds of the blur, 28 ns a line
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "analysis/concurrency.h"
#include "analysis/power.h"
#include "analysis/roofline.h"
#include "analysis/scaling.h"

#define OK(call) assert_int_equal(call, STAT_OK)

/* Within half a unit of the last digit printed, or what is said. */
#define PRINTED(value, text, unit) is_printed(value, text, unit, __LINE__)

static void
is_printed(double value, double text, double unit, int line)
{
	if (!(fabs(value - text) <= 0.5 * unit * (1 + 1e-9)))
		fail_msg("line %d: %.9g, the lecture prints %g", line, value, text);
}

/* 2.3 */
static void
samples_of_a_profiler(void **state)
{
	static const struct {
		double margin, samples, seconds, unit;
	} rows[] = {{0.05, 385, 0.39, 0.01}, {0.01, 9604, 9.6, 0.1}, {0.001, 960400, 960, 1}};
	struct power_count count;
	double seconds, error;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		OK(power_binomial(1.96, 0.5, rows[i].margin, &count));
		assert_true(count.ceil == rows[i].samples);
		OK(power_sampling_seconds(1.96, 0.5, rows[i].margin, 1000, &seconds));
		PRINTED(seconds, rows[i].seconds, rows[i].unit);
	}
	OK(power_poisson_error(0.003 * 1000, &error)); /* a function of 0.3 % in a second at 1 kHz */
	PRINTED(error, 0.58, 0.01);
}

/* 2.4, 4.1: 16 cores, 3 GHz, 8 lanes, two operations */
static const double cpu_peak = 16 * 3.0e9 * 8 * 2, cpu_bandwidth = 20e9;

static void
ridge_of_the_machine(void **state)
{
	double ridge;

	(void)state;
	assert_true(cpu_peak == 768e9);
	OK(roofline_ridge(cpu_peak, cpu_bandwidth, &ridge));
	PRINTED(ridge, 38.4, 0.1);
	OK(roofline_ridge(19.5e12, 1.4e12, &ridge)); /* 3.3 */
	PRINTED(ridge, 14, 1);
}

/* 2.6 */
static void
work_over_span(void **state)
{
	struct work_span bound;

	(void)state;
	OK(scaling_work_span(3 * 4 + 1, 3 + 1, 100, &bound));
	assert_true(bound.parallelism == 3.25);
	PRINTED(bound.bound, 13.0 / 100 + 4, 1e-9);
}

/* 3.1, 4.1, 7.2: a picture of 1024 x 1024 floats with its border */
static const double pixels = 1024.0 * 1024;

static double
intrinsic_bytes(void)
{
	return 1026.0 * 1026 * 4 + pixels * 4;
}

static double
two_pass_bytes(void)
{
	return intrinsic_bytes() + 2 * 1026.0 * 1024 * 4;
}

static void
traffic_of_the_blur(void **state)
{
	(void)state;
	PRINTED(intrinsic_bytes() * 1e-6, 8.40, 0.02); /* 8.405 */
	PRINTED(two_pass_bytes() * 1e-6, 16.80, 0.02); /* 16.81 */
	PRINTED(two_pass_bytes() / intrinsic_bytes(), 2.0, 0.1);
	PRINTED(6 * pixels * 1e-6, 6.29, 0.01);             /* two passes */
	PRINTED(6 * (1 + 1.0 / 16) * pixels * 1e-6, 6.68, 0.01); /* chunks of 16 rows */
	PRINTED((34 / 16.0) * 3, 6.4, 0.1);                  /* (16 + 2 + 16) / 16 times three */
	PRINTED(18 * 1024 * 4 / 1e3, 73.7, 0.1);             /* a chunk's buffer, KB */
}

static void
roof_of_the_blur(void **state)
{
	struct roofline_point point;
	struct roofline_kernel kernel;

	(void)state;
	OK(roofline_point(cpu_peak, cpu_bandwidth, 2 * 9 * pixels, intrinsic_bytes(), &point));
	PRINTED(point.intensity, 2.25, 0.01);
	OK(roofline_point(cpu_peak, cpu_bandwidth, 2 * 6 * pixels, intrinsic_bytes(), &point));
	PRINTED(point.intensity, 1.50, 0.01);
	OK(roofline_point(cpu_peak, cpu_bandwidth, 2 * 6 * pixels, two_pass_bytes(), &point));
	PRINTED(point.intensity, 0.75, 0.01);
	assert_true(point.memory_bound);
	PRINTED(point.attainable * 1e-9, 15.0, 0.1);
	PRINTED(100 * point.attainable / cpu_peak, 1.95, 0.01);
	PRINTED(2.25 * 20e9 / cpu_peak * 100, 5.9, 0.1);
	/* 7.2: bounds of 0.84 and 0.42 ms, 16.4 us of arithmetic, 51 times less; 3.4 ms is 4.05 times */
	PRINTED(two_pass_bytes() / cpu_bandwidth * 1e3, 0.84, 0.01);
	PRINTED(intrinsic_bytes() / cpu_bandwidth * 1e3, 0.42, 0.01);
	PRINTED(12 * pixels / cpu_peak * 1e6, 16.4, 0.1);
	PRINTED(two_pass_bytes() / cpu_bandwidth / (12 * pixels / cpu_peak), 51, 1);
	OK(roofline_kernel(cpu_peak, cpu_bandwidth, 12 * pixels, two_pass_bytes(), 3.4e-3, &kernel));
	PRINTED(1 / kernel.efficiency, 4.05, 0.02); /* 4.046 */
	PRINTED(1.1 / 0.42, 2.6, 0.1);
	/* with write-allocate 4.20 MB more: 21 MB, 1.05 ms */
	PRINTED((two_pass_bytes() + 1026.0 * 1024 * 4) * 1e-6, 21, 1);
	PRINTED((two_pass_bytes() + 1026.0 * 1024 * 4) / cpu_bandwidth * 1e3, 1.05, 0.01);
}

/* 3.2, 7.3 */
static void
counters_in_one_line(void **state)
{
	const double all = 4 * 16777216.0;

	(void)state;
	PRINTED(all * 1e-7, 6.71, 0.01);
	PRINTED(all * 100e-9, 6.7, 0.1);
	PRINTED(all / (4 * 3.0e9) * 1e3, 5.6, 0.1);
	PRINTED(11.2 / 4e8 * 1e9, 28, 1);       /* ns a line */
	PRINTED(4e8 / 11.2 * 1e-7, 3.6, 0.1);   /* a second, whatever the threads */
	PRINTED(4e8 / 0.28 * 1e-9, 1.43, 0.01);
	PRINTED(4e8 / 0.28 / 4 / 3.0e9, 0.12, 0.01);
	PRINTED(11.2 / 0.28, 40, 1);
	PRINTED(64 * 1000 / 1e3, 64, 1); /* padded bins against private ones, KB */
	PRINTED(8 * 1000 / 1e3, 8, 1);
}

/* 3.3 */
static void
saxpy_on_a_gpu(void **state)
{
	const double n = 16777216, peak = 19.5e12, bandwidth = 1.4e12;
	struct roofline_point point;
	struct roofline_kernel kernel;

	(void)state;
	OK(roofline_point(peak, bandwidth, 2 * n, 12 * n, &point));
	PRINTED(point.intensity, 0.167, 0.001);
	PRINTED(point.ridge / point.intensity, 84, 1);
	assert_true(point.memory_bound);
	PRINTED(12 * n * 1e-6, 201, 1);
	PRINTED(12 * n / bandwidth * 1e6, 144, 1);
	PRINTED(2 * n * 1e-6, 33.6, 0.1);
	PRINTED(2 * n / peak * 1e6, 1.7, 0.1);
	PRINTED(12 * n / (0.45 * bandwidth) * 1e6, 320, 2);
	PRINTED(12 * n / (0.90 * bandwidth) * 1e6, 160, 1);
	OK(roofline_kernel(peak, bandwidth, 2 * n, 12 * n, 12 * n / (0.90 * bandwidth), &kernel));
	PRINTED(kernel.efficiency, 0.90, 1e-9);
	PRINTED(80 * 2048.0, 163840, 1);
	PRINTED(n / 163840, 102, 1);
}

/* 4.2 */
static void
two_phases(void **state)
{
	struct two_phase at;

	(void)state;
	OK(scaling_two_phase(1024, 1448, &at));
	PRINTED(at.optimum_p, 1448, 1);
	PRINTED(at.optimum_speedup, 724, 1);
	PRINTED(at.speedup, 724, 1);
	PRINTED(at.efficiency, 0.50, 0.01);
	OK(scaling_two_phase(1024, 16, &at));
	PRINTED(100 * at.efficiency, 99.99, 0.01);
	OK(scaling_two_phase(1024, 1024, &at));
	PRINTED(at.speedup, 682.7, 0.1);
	OK(scaling_two_phase(1024, 2048, &at)); /* twice the processors, not a bit faster */
	PRINTED(at.speedup, 682.7, 0.1);
	PRINTED(100 * at.efficiency, 33, 1);
}

static void
a_hundredth_of_serial_work(void **state)
{
	const double p[] = {1, 64}, t[] = {1, 0.01 + 0.99 / 64};
	struct amdahl amdahl;
	struct gustafson gustafson;
	double e[2];

	(void)state;
	OK(scaling_amdahl(0.01, 64, &amdahl));
	PRINTED(amdahl.speedup, 39.26, 0.01);
	PRINTED(100 * amdahl.efficiency, 61.3, 0.1);
	PRINTED(1 / amdahl.speedup, 0.025469, 1e-6);
	OK(scaling_karp_flatt(p, t, 2, e));
	PRINTED(100 * e[1], 1.00, 0.01);
	OK(scaling_gustafson(0.01, 64, &gustafson));
	PRINTED(gustafson.speedup, 63.37, 0.01);
	PRINTED(100 * gustafson.efficiency, 99.0, 0.1);
}

static void
a_thousandth_on_the_largest_machine(void **state)
{
	const double alus = 27648.0 * 5376;
	struct amdahl amdahl;

	(void)state;
	assert_true(alus == 148635648);
	OK(scaling_amdahl(0.001, alus, &amdahl));
	PRINTED(amdahl.limit, 1000, 1);
	PRINTED(amdahl.speedup, 1000, 1);
	PRINTED(amdahl.efficiency, 6.7e-6, 0.1e-6);
	PRINTED(100 * (1 - amdahl.efficiency), 99.9993, 1e-4);
}

/* 2.6: 258 x 258 points on 32 processors are few each, 1K x 1K are not; against 13.8 on 8 (7.1) */
static void
problems_of_a_size(void **state)
{
	struct speedup on_eight;

	(void)state;
	PRINTED(100 * 100 / 32.0, 310, 10); /* "about 310 points a processor" is a grid of 100 x 100 … */
	PRINTED(258 * 258 / 32.0, 2080, 1); /* … of 258 x 258 it is 2080: the lecture's count is off */
	PRINTED(1024 * 1024 / 32.0 / 1024, 32, 1);
	OK(scaling_speedup(13.8, 1, 8, &on_eight));
	assert_true(on_eight.superlinear);
	PRINTED(on_eight.efficiency, 1.725, 0.001);
	OK(scaling_speedup(2, 1, 10, &on_eight)); /* twice as fast on 10 cores */
	PRINTED(on_eight.efficiency, 0.2, 1e-9);
}

/* 4.3 */
static void
lines_in_flight(void **state)
{
	struct little lines;

	(void)state;
	OK(concurrency_little(20e9, 100e-9, 64, &lines));
	PRINTED(lines.bytes, 2000, 1);
	PRINTED(lines.lines, 31, 1);
	PRINTED(lines.lines / 4, 8, 1); /* with four misses a thread */
	OK(concurrency_little(20e9, 100e-9, 128, &lines));
	assert_true(lines.whole_lines == 16);
}

/* 4.4 */
static void
repetitions_for_a_percent(void **state)
{
	struct power_count count;

	(void)state;
	PRINTED(0.40 / 3.20, 0.125, 1e-9);
	OK(power_standard_error(0.125, 0.01, &count));
	PRINTED(count.n, 156, 1);
}

/* 4.6 */
static void
half_the_traffic(void **state)
{
	struct traffic_ceiling ceiling;

	(void)state;
	OK(roofline_traffic_ceiling(32, 0.89, 2, &ceiling));
	PRINTED(ceiling.time, 17.8, 0.1);
	PRINTED(ceiling.speedup, 1.8, 0.1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_of_a_profiler),
		cmocka_unit_test(ridge_of_the_machine),
		cmocka_unit_test(work_over_span),
		cmocka_unit_test(traffic_of_the_blur),
		cmocka_unit_test(roof_of_the_blur),
		cmocka_unit_test(counters_in_one_line),
		cmocka_unit_test(saxpy_on_a_gpu),
		cmocka_unit_test(two_phases),
		cmocka_unit_test(a_hundredth_of_serial_work),
		cmocka_unit_test(a_thousandth_on_the_largest_machine),
		cmocka_unit_test(problems_of_a_size),
		cmocka_unit_test(lines_in_flight),
		cmocka_unit_test(repetitions_for_a_percent),
		cmocka_unit_test(half_the_traffic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

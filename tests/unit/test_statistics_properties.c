/*
 * What readers rely on in the statistics of samples and pairs, and no reference value holds: the
 * order and the slot, exact tests of many pairs, ties, the trim, seeds.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/bootstrap.h"
#include "analysis/crossover.h"
#include "analysis/describe.h"
#include "analysis/pairs.h"
#include "analysis/rank.h"
#include "analysis/rank_null.h"
#include "analysis/signflip.h"
#include "analysis/sort.h"

static void
fill_orders(enum pair_order *order, size_t n)
{
	for (size_t i = 0; i < n; i++)
		order[i] = i % 4 == 0 || i % 4 == 3 ? PAIR_AB : PAIR_BA;
}

/* Above some size another method takes over; nobody may notice. */
static void
sorting_is_sorting_at_any_size(void **state)
{
	const size_t sizes[] = {0, 1, 7, 49999, 50001, 120000};

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		size_t n = sizes[s];
		double *x = calloc(n + 1, sizeof(*x)), before = 0, after = 0;

		for (size_t i = 0; i < n; i++) {
			x[i] = ((double)(i * 7919 % 10007) - 5000) * (i % 5 ? 1 : 1e300);
			before += x[i] / 1e300;
		}
		sort_doubles(x, n);
		for (size_t i = 0; i < n; i++) {
			after += x[i] / 1e300;
			assert_true(i == 0 || x[i - 1] <= x[i]);
		}
		assert_true(fabs(before - after) <= 1e-6 * (1 + fabs(before)));
		free(x);
	}
}

static void
summary_says_what_is_missing(void **state)
{
	struct describe_summary s;
	const double one[] = {3}, mixed[] = {-1, 0, 1, 2, 3, 4, 5, 6};

	(void)state;
	assert_int_equal(describe_summary(one, 1, 0.95, &s), STAT_OK);
	assert_true(s.mean == 3 && s.median == 3 && s.mad == 0 && isnan(s.sd));
	assert_int_equal(s.sd_status, STAT_TOO_FEW);
	assert_int_equal(s.median_ci_status, STAT_NO_INTERVAL);
	assert_int_equal(describe_summary(mixed, 8, 0.95, &s), STAT_OK);
	assert_int_equal(s.geomean_status, STAT_NOT_POSITIVE);
	assert_int_equal(s.harmonic_status, STAT_NOT_POSITIVE);
	assert_true(isnan(s.geomean) && s.median_ci.lo_rank == 1 && s.median_ci.hi_rank == 8);
}

static void
trim_keeps_the_boundary(void **state)
{
	/* 1.2 * 3 is less than 3.6 in binary; in nanoseconds it is not */
	const double us[] = {3, 3, 3, 3, 3.6, 3.601, 100};
	unsigned char keep[7];
	size_t kept;

	(void)state;
	assert_int_equal(describe_trim_upper_us(us, 7, 1.2, keep, &kept), STAT_OK);
	assert_int_equal(kept, 5);
	assert_true(keep[4] == 1 && keep[5] == 0 && keep[6] == 0);
	assert_int_equal(describe_trim_upper(us, 7, 1.2, NULL, &kept), STAT_OK);
	assert_int_equal(kept, 5);
	assert_int_equal(describe_trim_upper_us(us, 7, 1.23456, keep, &kept), STAT_BAD_ARGUMENT);
	assert_int_equal(describe_trim_upper_us(us, 0, 1.2, keep, &kept), STAT_TOO_FEW);
	assert_int_equal(describe_trim_upper_us((double[]){1e300}, 1, 1.2, keep, &kept),
			 STAT_BAD_ARGUMENT);
	assert_int_equal(describe_trim_upper_us((double[]){-1}, 1, 1.2, keep, &kept),
			 STAT_NOT_POSITIVE);
	assert_int_equal(describe_trim_upper_us((double[]){NAN}, 1, 1.2, keep, &kept),
			 STAT_NOT_FINITE);
}

static void
one_order_is_no_crossover(void **state)
{
	double d[16];
	enum pair_order order[16];
	struct crossover_hl hl;
	struct crossover_abba abba;

	(void)state;
	for (size_t i = 0; i < 16; i++) {
		d[i] = 0.01 * (double)i;
		order[i] = PAIR_AB;
	}
	assert_int_equal(crossover_hl(d, order, 16, 0.95, &hl), STAT_ONE_ORDER);
	assert_true(hl.n_ab == 16 && hl.n_ba == 0 && isnan(hl.log_ratio) && isnan(hl.p));
	assert_int_equal(crossover_abba(d, order, 16, 0.95, &abba), STAT_ONE_ORDER);
	order[3] = PAIR_ORDER_UNKNOWN;
	assert_int_equal(crossover_hl(d, order, 16, 0.95, &hl), STAT_ORDER_UNKNOWN);
	assert_int_equal(pairs_differences(d + 1, d + 1, order, 15, d), STAT_ORDER_UNKNOWN);
}

static void
crossover_takes_the_slot_out(void **state)
{
	double d[16], shifted[16];
	enum pair_order order[16];
	struct crossover_hl before, after;

	(void)state;
	fill_orders(order, 16);
	for (size_t i = 0; i < 16; i++) {
		d[i] = (order[i] == PAIR_AB ? 0.02 : -0.02) + 0.001 * (double)(i * 5 % 16);
		shifted[i] = d[i] + 0.5;
	}
	assert_int_equal(crossover_hl(d, order, 16, 0.95, &before), STAT_OK);
	assert_int_equal(crossover_hl(shifted, order, 16, 0.95, &after), STAT_OK);
	assert_true(fabs(before.log_ratio - after.log_ratio) < 1e-12);
	assert_true(fabs(before.lo - after.lo) < 1e-12 && fabs(before.hi - after.hi) < 1e-12);
	assert_true(fabs(after.slot - before.slot - 0.5) < 1e-12);
	assert_true(before.lo <= 0.02 && 0.02 <= before.hi);
}

static void
four_pairs_of_each_order_give_an_interval(void **state)
{
	double d[8];
	enum pair_order order[8];
	struct crossover_hl hl;

	(void)state;
	fill_orders(order, 8);
	for (size_t i = 0; i < 8; i++)
		d[i] = 0.01 * (double)(i * 3 % 8);
	assert_int_equal(crossover_hl(d, order, 6, 0.95, &hl), STAT_OK);
	assert_int_equal(hl.interval_status, STAT_NO_INTERVAL);
	assert_true(isnan(hl.lo) && isnan(hl.ratio_hi) && isfinite(hl.ratio));
	assert_int_equal(crossover_hl(d, order, 8, 0.95, &hl), STAT_OK);
	assert_int_equal(hl.interval_status, STAT_OK);
	assert_true(fabs(hl.achieved - (1 - 2.0 / 70)) < 1e-12);
}

/* With 500 + 500 pairs counts reach 1e299, and naive recurrences lose every digit. */
static void
exact_p_of_a_thousand_pairs(void **state)
{
	static double d[1000];
	static enum pair_order order[1000];
	struct crossover_hl hl;
	struct rank_null null;
	size_t at = 112500;
	double normal, before = 0;

	(void)state;
	for (size_t i = 0; i < 1000; i++) {
		order[i] = i % 2 ? PAIR_AB : PAIR_BA;
		d[i] = (double)(i * 617 % 1000) / 1000 + (order[i] == PAIR_AB ? 0.05 : 0);
	}
	assert_int_equal(crossover_hl(d, order, 1000, 0.95, &hl), STAT_OK);
	assert_int_equal(hl.interval_status, STAT_OK);
	assert_true(hl.p_exact && hl.p > 0 && hl.p < 0.1);
	assert_true(hl.lo < 0.025 && 0.025 < hl.hi && hl.achieved >= 0.95 && hl.achieved < 0.951);
	assert_int_equal(rank_null_mann_whitney(500, 500, &null), STAT_OK);
	normal = 0.5 * erfc((125000 - 112500.5) / sqrt(250000.0 * 1001 / 12) / sqrt(2));
	assert_true(fabs(rank_null_lower(&null, at) / normal - 1) < 0.02);
	for (size_t v = 0; v <= null.max; v += 1250) {
		double p = rank_null_lower(&null, v);
		assert_true(p >= before - 1e-12 && p <= 1 && p > 0);
		before = p;
	}
	rank_null_free(&null);
}

/* Both ways of computing the null distribution meet at their border. */
static void
null_distribution_is_one_function(void **state)
{
	struct rank_null table, transform;

	(void)state;
	assert_int_equal(rank_null_mann_whitney(64, 65, &table), STAT_OK);
	assert_int_equal(rank_null_mann_whitney(65, 65, &transform), STAT_OK);
	assert_true(table.table && !transform.table);
	assert_true(fabs(rank_null_lower(&table, 2080) - 0.5) < 0.01);
	for (size_t v = 0; v < transform.max; v++)
		assert_true(fabs(rank_null_lower(&transform, v) +
				 rank_null_lower(&transform, transform.max - v - 1) - 1) < 1e-12);
	rank_null_free(&table);
	rank_null_free(&transform);
	/* 2 + 2: 1 1 2 1 1 of 6 */
	assert_int_equal(rank_null_mann_whitney(2, 2, &table), STAT_OK);
	assert_true(fabs(table.table[1] - 2.0 / 6) < 1e-15 &&
		    fabs(table.table[2] - 4.0 / 6) < 1e-15);
	rank_null_free(&table);
}

static void
ties_at_the_last_digit_tie(void **state)
{
	(void)state;
	assert_true(rank_round(log(0.21 / 0.20)) == -rank_round(log(0.20 / 0.21)));
	assert_true(rank_round(log(0.22 / 0.20)) == rank_round(log(0.33 / 0.30)));
	assert_true(rank_round(1e-300) > 0 && rank_round(1e300) < 1.01e300 && rank_round(0) == 0);
	assert_true(isfinite(rank_round(5e-324)) && isfinite(rank_round(1.7e308)));
}

static void
signflip_past_its_limit(void **state)
{
	double d[45];
	struct signflip out;

	(void)state;
	for (size_t i = 0; i < 45; i++)
		d[i] = 1 + (double)i;
	assert_int_equal(signflip_exact(d, 20, &out), STAT_OK);
	assert_true(out.count == 2 && out.total == 1048576);
	assert_int_equal(signflip_exact(d, 45, &out), STAT_TOO_MANY);
	assert_true(isnan(out.p));
}

/*
 * Where values are skew the corrected interval leaves the percentile one. Against 400,000
 * resamples made outside this library; tolerance 1.5 % of the width.
 */
static void
bca_corrects_for_skew(void **state)
{
	double x[20];
	struct bootstrap_result out;

	(void)state;
	for (size_t i = 0; i < 20; i++)
		x[i] = 0.1 * exp(0.19 * (double)i);
	assert_int_equal(bootstrap_mean(x, 20, 0.95, 40000, 3, &out), STAT_OK);
	assert_true(fabs(out.estimate - 1.04423585) < 1e-6);
	assert_true(fabs(out.lo - 0.62297) < 0.014 && fabs(out.hi - 1.52262) < 0.014);
	assert_true(fabs(out.bca_lo - 0.66701) < 0.014 && fabs(out.bca_hi - 1.59843) < 0.014);
	assert_true(fabs(out.acceleration - 0.0445780) < 1e-5 && fabs(out.bias - 0.0434) < 0.03);
}

/* Past the range of a double there is no number, whatever the arithmetic would say. */
static void
a_result_that_fits_no_double_is_none(void **state)
{
	const double ends[] = {1.7e308, -1.7e308}, far[] = {1.7e308, -1.7e308, -1.7e308};
	double out;
	struct describe_interval ci;

	(void)state;
	assert_int_equal(describe_sd(ends, 2, &out), STAT_OVERFLOW);
	assert_true(isnan(out));
	assert_int_equal(describe_mean_ci(ends, 2, 0.95, &ci), STAT_OVERFLOW);
	assert_true(isnan(ci.lo) && isnan(ci.hi));
	assert_int_equal(describe_mean(far, 3, &out), STAT_OK);
	assert_true(fabs(out / (-1.7e308 / 3) - 1) < 1e-12);
	assert_int_equal(describe_median(ends, 2, &out), STAT_OK);
	assert_true(out == 0);
}

static double
middle(const size_t *index, size_t count, void *context)
{
	const double *x = context;
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += x[index[i]];
	return sum / (double)count;
}

static void
bootstrap_repeats_with_its_seed(void **state)
{
	double x[40];
	struct bootstrap_result a, b, c, general;

	(void)state;
	for (size_t i = 0; i < 40; i++)
		x[i] = exp(0.05 * (double)(i * 17 % 40));
	assert_int_equal(bootstrap_mean(x, 40, 0.95, 2000, 11, &a), STAT_OK);
	assert_int_equal(bootstrap_mean(x, 40, 0.95, 2000, 11, &b), STAT_OK);
	assert_int_equal(bootstrap_mean(x, 40, 0.95, 2000, 12, &c), STAT_OK);
	assert_true(a.lo == b.lo && a.bca_hi == b.bca_hi && a.seed == 11 && a.resamples == 2000);
	assert_true(a.lo != c.lo);
	assert_int_equal(bootstrap_general(middle, x, 40, 0.95, 2000, 11, &general), STAT_OK);
	assert_true(fabs(general.lo - a.lo) < 1e-9 && fabs(general.bca_hi - a.bca_hi) < 1e-9);
	assert_int_equal(bootstrap_mean(x, 40, 0.95, 10, 11, &a), STAT_BAD_ARGUMENT);
	assert_int_equal(bootstrap_mean(x, 40, 1, 2000, 11, &a), STAT_BAD_ARGUMENT);
	assert_true(isnan(a.lo) && a.bca_status == STAT_BAD_ARGUMENT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorting_is_sorting_at_any_size),
		cmocka_unit_test(summary_says_what_is_missing),
		cmocka_unit_test(trim_keeps_the_boundary),
		cmocka_unit_test(one_order_is_no_crossover),
		cmocka_unit_test(crossover_takes_the_slot_out),
		cmocka_unit_test(four_pairs_of_each_order_give_an_interval),
		cmocka_unit_test(exact_p_of_a_thousand_pairs),
		cmocka_unit_test(null_distribution_is_one_function),
		cmocka_unit_test(ties_at_the_last_digit_tie),
		cmocka_unit_test(signflip_past_its_limit),
		cmocka_unit_test(bca_corrects_for_skew),
		cmocka_unit_test(a_result_that_fits_no_double_is_none),
		cmocka_unit_test(bootstrap_repeats_with_its_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

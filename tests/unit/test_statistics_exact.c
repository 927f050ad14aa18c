#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/changepoint.h"
#include "analysis/modes.h"
#include "analysis/trend.h"

/* Fast exact methods against slow ones that are plainly right. */

static double
noise(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 11) / 9007199254740992.0;
}

static int
ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Over 500 values the slope comes from bisection; here all slopes are laid out and sorted. */
static void
slope_of_many_values_is_the_median_of_all_slopes(void **state)
{
	size_t n = 701, count = n * (n - 1) / 2, k = 0;
	double *x = malloc(n * sizeof(*x)), *slopes = malloc(count * sizeof(*slopes));
	uint64_t seed = 7;
	struct theil_sen out;

	(void)state;
	for (size_t i = 0; i < n; i++)
		x[i] = 1.5 + 1e-5 * (double)i + 0.1 * noise(&seed);
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++)
			slopes[k++] = (x[j] - x[i]) / (double)(j - i);
	}
	qsort(slopes, count, sizeof(*slopes), ascending);
	assert_int_equal(trend_theil_sen(x, n, &out), STAT_OK);
	assert_true(fabs(out.slope - (slopes[(count - 1) / 2] + slopes[count / 2]) / 2) < 1e-17);
	for (size_t i = 0; i < n; i++)
		x[i] = 0.1;
	assert_int_equal(trend_theil_sen(x, n, &out), STAT_OK);
	assert_true(out.slope == 0 && out.intercept == 0.1);
	free(slopes);
	free(x);
}

static void
swap(double *a, double *b)
{
	double held = *a;

	*a = *b;
	*b = held;
}

static bool
next_permutation(double *x, size_t n)
{
	size_t i = n - 1, j = n - 1;

	while (i > 0 && x[i - 1] >= x[i])
		i--;
	if (i == 0)
		return false;
	while (x[j] <= x[i - 1])
		j--;
	swap(&x[i - 1], &x[j]);
	for (j = n - 1; i < j; i++, j--)
		swap(&x[i], &x[j]);
	return true;
}

/* P(|S| >= |s|) counted over all orders of six values. */
static void
exact_mann_kendall_counts_all_orders(void **state)
{
	static const double x[6] = {2, 1, 3, 6, 4, 5};
	double order[6] = {1, 2, 3, 4, 5, 6}, p, reached = 0, all = 0;
	struct mann_kendall given, other;

	(void)state;
	trend_mann_kendall(x, 6, &given);
	do {
		trend_mann_kendall(order, 6, &other);
		reached += fabs(other.s) >= fabs(given.s);
		all++;
	} while (next_permutation(order, 6));
	assert_true(all == 720);
	assert_int_equal(trend_mann_kendall_exact(x, 6, &p), STAT_OK);
	assert_true(fabs(p - reached / all) < 1e-14);
}

static void
exact_mann_kendall_names_ties_and_too_many(void **state)
{
	static double many[TREND_EXACT_MAX + 1];
	double p;

	(void)state;
	for (size_t i = 0; i <= TREND_EXACT_MAX; i++)
		many[i] = (double)i;
	assert_int_equal(trend_mann_kendall_exact(many, TREND_EXACT_MAX + 1, &p), STAT_TOO_MANY);
	assert_true(isnan(p));
	many[1] = many[0];
	assert_int_equal(trend_mann_kendall_exact(many, 20, &p), STAT_TIES);
	assert_true(isnan(p));
}

/* Cost of a segment from its definition, for the slow search below. */
static double
segment_cost(const double *x, size_t n, double sigma, double floor)
{
	double mean = 0, rss = 0, m = (double)n;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / m;
	for (size_t i = 0; i < n; i++)
		rss += (x[i] - mean) * (x[i] - mean);
	if (sigma > 0)
		return rss / (sigma * sigma);
	return m * (log(2 * M_PI) + log(fmax(rss / m, floor * floor)) + 1);
}

#define SERIES 60

/* Every last segment at every length tried, no pruning: the change points, ascending. */
static size_t
slow_segmentation(const double *x, double sigma, double floor, double penalty, size_t shortest,
		  size_t *index)
{
	double best[SERIES + 1];
	size_t from[SERIES + 1], count = 0;

	best[0] = -penalty;
	for (size_t t = 1; t <= SERIES; t++) {
		best[t] = INFINITY;
		for (size_t s = 0; s + shortest <= t; s++) {
			double total = best[s] + penalty + segment_cost(x + s, t - s, sigma, floor);
			if (total < best[t]) {
				best[t] = total;
				from[t] = s;
			}
		}
	}
	for (size_t at = from[SERIES]; at > 0; at = from[at]) {
		memmove(index + 1, index, count++ * sizeof(*index));
		index[0] = at;
	}
	return count;
}

static void
segmentation_is_the_exact_optimum(void **state)
{
	uint64_t seed = 42;
	size_t found = 0;

	(void)state;
	for (int round = 0; round < 200; round++) {
		size_t shortest = 2 + (size_t)round % 5;
		size_t fast[SERIES], slow[SERIES] = {0}, count;
		double x[SERIES], penalty = 0.5 + 3 * noise(&seed), level = 10, median;
		double sorted[SERIES];
		struct changepoints out;

		for (size_t i = 0; i < SERIES; i++) {
			if (noise(&seed) < 0.08)
				level = 8 + 4 * noise(&seed);
			/* coarse values, so that ties and the variance floor take part */
			x[i] = level + (round % 2 ? floor(6 * noise(&seed)) / 6 : noise(&seed));
		}
		assert_int_equal(changepoint_pelt_mean(x, SERIES, penalty, shortest, fast, &out),
				 STAT_OK);
		count = slow_segmentation(x, out.sigma, 0, penalty * log(SERIES), shortest, slow);
		assert_int_equal(out.count, count);
		assert_memory_equal(fast, slow, count * sizeof(*fast));
		found += count;

		assert_int_equal(
			changepoint_pelt_meanvar(x, SERIES, penalty, shortest, 1e-2, fast, &out),
			STAT_OK);
		memcpy(sorted, x, sizeof(x));
		qsort(sorted, SERIES, sizeof(*sorted), ascending);
		median = (sorted[SERIES / 2 - 1] + sorted[SERIES / 2]) / 2;
		count = slow_segmentation(x, 0, 1e-2 * median, penalty * log(SERIES), shortest,
					  slow);
		assert_int_equal(out.count, count);
		assert_memory_equal(fast, slow, count * sizeof(*fast));
		found += count;
	}
	assert_true(found > 400);
}

static void
a_late_last_segment_is_no_steady_state(void **state)
{
	size_t start, late[] = {10, 90}, early[] = {10};

	(void)state;
	assert_false(changepoint_is_steady(100, late, 2, CHANGEPOINT_STEADY_SHARE, &start));
	assert_int_equal(start, 90);
	assert_true(changepoint_is_steady(100, early, 1, CHANGEPOINT_STEADY_SHARE, &start));
	assert_int_equal(start, 10);
	assert_true(changepoint_is_steady(100, NULL, 0, CHANGEPOINT_STEADY_SHARE, &start));
	assert_int_equal(start, 0);
	assert_false(changepoint_is_steady(0, NULL, 0, CHANGEPOINT_STEADY_SHARE, &start));
}

static void
dip_tells_two_modes_from_one(void **state)
{
	double even[50], halves[50], dip;
	struct dip_test one, again, two;

	(void)state;
	for (size_t i = 0; i < 50; i++) {
		even[i] = (double)i;
		halves[i] = (i < 25 ? 0 : 100) + 0.01 * (double)i;
	}
	/* equal steps are the least a dip can be */
	assert_int_equal(modes_dip(even, 50, &dip), STAT_OK);
	assert_true(fabs(dip - 0.01) < 1e-15);
	assert_int_equal(modes_dip_test(even, 50, 200, 9, &one), STAT_OK);
	assert_true(one.p == 1 && one.seed == 9 && one.replicates == 200);
	assert_int_equal(modes_dip_test(halves, 50, 200, 9, &two), STAT_OK);
	assert_true(two.p == 1.0 / 201 && two.dip > 0.2);
	assert_int_equal(modes_dip(halves, 50, &dip), STAT_OK);
	assert_true(two.dip == dip);
	assert_int_equal(modes_dip_test(halves, 50, 200, 9, &again), STAT_OK);
	assert_true(again.p == two.p);
	/* three values dip by 1/6 wherever they lie, so that every sample reaches it */
	assert_int_equal(modes_dip_test((double[]){1, 2, 4}, 3, 50, 9, &one), STAT_OK);
	assert_true(one.p == 1);
	assert_int_equal(modes_dip_test(even, 50, 0, 9, &one), STAT_BAD_ARGUMENT);
	assert_true(isnan(one.p));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slope_of_many_values_is_the_median_of_all_slopes),
		cmocka_unit_test(exact_mann_kendall_counts_all_orders),
		cmocka_unit_test(exact_mann_kendall_names_ties_and_too_many),
		cmocka_unit_test(segmentation_is_the_exact_optimum),
		cmocka_unit_test(a_late_last_segment_is_no_steady_state),
		cmocka_unit_test(dip_tells_two_modes_from_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Verdicts, claims, stop rules, plans and controls: what may be said, and when to stop. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/claim.h"
#include "analysis/multiplicity.h"
#include "analysis/noise.h"
#include "analysis/pairs.h"
#include "analysis/power.h"
#include "analysis/sequential.h"
#include "analysis/stopping.h"
#include "analysis/verdict.h"

static void
fill_orders(enum pair_order *order, size_t n)
{
	for (size_t i = 0; i < n; i++)
		order[i] = i % 4 == 0 || i % 4 == 3 ? PAIR_AB : PAIR_BA;
}

static void
adjusted_p_values_refuse_what_is_none(void **state)
{
	double out[3];

	(void)state;
	assert_int_equal(multiplicity_holm(NULL, 0, out), STAT_TOO_FEW);
	assert_int_equal(multiplicity_holm((double[]){0.1, NAN, 0.2}, 3, out), STAT_NOT_FINITE);
	assert_true(isnan(out[0]) && isnan(out[2]));
	assert_int_equal(multiplicity_benjamini_hochberg((double[]){0.1, 1.5}, 2, out),
			 STAT_BAD_ARGUMENT);
	assert_int_equal(multiplicity_holm((double[]){0.04, 0.01, 0.03}, 3, out), STAT_OK);
	assert_true(fabs(out[0] - 0.06) < 1e-12 && fabs(out[1] - 0.03) < 1e-12);
}

static void
plans_refuse_impossible_wishes(void **state)
{
	struct power_mde mde;
	struct power_pairs pairs;
	struct power_count count;
	double x;
	size_t n;

	(void)state;
	assert_int_equal(power_mde(0.02, 1, 0.05, 0.8, &mde), STAT_TOO_FEW);
	assert_int_equal(power_mde(0, 10, 0.05, 0.8, &mde), STAT_CONSTANT);
	assert_int_equal(power_mde(NAN, 10, 0.05, 0.8, &mde), STAT_NOT_FINITE);
	assert_int_equal(power_pairs(0.02, 0, 0.05, 0.8, &pairs), STAT_BAD_ARGUMENT);
	assert_int_equal(power_pairs(0.02, 0.01, 0.05, 1, &pairs), STAT_BAD_ARGUMENT);
	assert_int_equal(power_pairs(1e300, 0.01, 0.05, 0.8, &pairs), STAT_OVERFLOW);
	assert_int_equal(power_pairs(1e-9, 1e300, 0.05, 0.8, &pairs), STAT_OK);
	assert_true(pairs.t_iter == 2 && isfinite(pairs.t_exact));
	/* either side of where another method takes over */
	for (double sd = 0.1; sd < 1000; sd *= 3) {
		assert_int_equal(power_pairs(sd, 0.001, 0.05, 0.8, &pairs), STAT_OK);
		assert_true(fabs(pairs.t_exact - pairs.normal - 1.92) < 1e-5 * pairs.normal);
		assert_true(pairs.t_iter >= pairs.normal && pairs.t_iter < pairs.normal + 5);
	}
	assert_int_equal(power_binomial(1.96, 0.5, 0, &count), STAT_BAD_ARGUMENT);
	assert_int_equal(power_poisson_error(0, &x), STAT_TOO_FEW);
	assert_int_equal(power_confidence_sequence(0, 0.1, 0.05, 1, &x), STAT_TOO_FEW);
	assert_int_equal(power_smallest_p(6, 0, &x), STAT_ONE_ORDER);
	assert_int_equal(power_smallest_p(500, 500, &x), STAT_OK);
	assert_true(x > 0 && x < 1e-298);
	assert_int_equal(power_smallest_p(4, 4, &x), STAT_OK);
	assert_true(fabs(x - 2.0 / 70) < 1e-12);
	assert_int_equal(power_pairs_for_p(0.05, &n), STAT_OK);
	assert_int_equal(n, 8);
	assert_int_equal(power_pairs_for_p(0, &n), STAT_BAD_ARGUMENT);
}

static void
planned_looks_refuse_bad_information(void **state)
{
	struct sequential_look out[3];
	const double back[] = {0.5, 0.4, 1}, bad[] = {0.5, NAN, 1}, early[] = {0.005, 0.01, 1};

	(void)state;
	assert_int_equal(sequential_bounds(SEQUENTIAL_POCOCK, back, 3, 0.05, out),
			 STAT_BAD_ARGUMENT);
	assert_true(isnan(out[0].z));
	assert_int_equal(sequential_bounds(SEQUENTIAL_POCOCK, bad, 3, 0.05, out), STAT_NOT_FINITE);
	assert_int_equal(sequential_bounds(SEQUENTIAL_POCOCK, bad, 0, 0.05, out), STAT_TOO_FEW);
	assert_int_equal(sequential_bounds(SEQUENTIAL_OBRIEN_FLEMING, early, 3, 0.05, out),
			 STAT_OK);
	for (size_t k = 0; k < 3; k++)
		assert_true(isfinite(out[k].z) && out[k].nominal_p > 0);
	assert_true(fabs(out[2].nominal_p - 0.05) < 1e-4);
}

static void
too_few_control_pairs_never_alarm(void **state)
{
	double d[12];
	enum pair_order order[12];
	struct noise_alarm alarm;
	struct noise_bias bias;

	(void)state;
	fill_orders(order, 12);
	for (size_t i = 0; i < 12; i++)
		d[i] = 0.05 + 0.001 * (double)i;
	assert_int_equal(noise_aa_alarm(d, 9, 0.99, 10, &alarm), STAT_OK);
	assert_true(!alarm.alarm && alarm.lo > 0);
	assert_string_equal(alarm.reason, "too few pairs");
	assert_int_equal(noise_aa_alarm(d, 12, 0.99, 10, &alarm), STAT_OK);
	assert_true(alarm.alarm);
	for (size_t i = 0; i < 12; i++)
		d[i] *= order[i] == PAIR_AB ? 1 : -1;
	assert_int_equal(noise_label_bias(d, order, 8, 0.99, 10, &bias), STAT_OK);
	assert_false(bias.biased);
	assert_int_equal(noise_label_bias(d, order, 12, 0.99, 10, &bias), STAT_OK);
	assert_true(bias.biased);
}

static struct verdict_result
decide(double lo, double hi, double inner_lo, double inner_hi, double margin)
{
	struct verdict_evidence evidence = {.primary = {lo, hi},
					    .inner = {inner_lo, inner_hi},
					    .margin = margin,
					    .p_adjusted = NAN,
					    .alpha = 0.05};
	struct verdict_result out;

	verdict_decide(&evidence, &out);
	return out;
}

static void
verdicts_follow_the_interval(void **state)
{
	struct verdict_evidence evidence = {.primary = {-0.2, -0.1},
					    .inner = {-0.19, -0.11},
					    .margin = 0.3,
					    .p_adjusted = 0.2,
					    .alpha = 0.05};
	struct verdict_result out;

	(void)state;
	assert_int_equal(decide(-0.2, -0.1, -0.19, -0.11, 0).verdict, VERDICT_FASTER);
	assert_int_equal(decide(0.1, 0.2, 0.11, 0.19, 0).verdict, VERDICT_SLOWER);
	assert_int_equal(decide(0, 0.2, 0.01, 0.19, 0).verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(decide(-0.2, 0, -0.19, -0.01, 0).verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(decide(-0.005, 0.005, -0.004, 0.004, 0.01).verdict, VERDICT_SAME);
	assert_int_equal(decide(-0.005, 0.005, -0.004, 0.004, 0).verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(decide(-0.02, 0.005, -0.015, 0.004, 0.01).verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(decide(NAN, NAN, NAN, NAN, 0.01).verdict, VERDICT_INCONCLUSIVE);
	out = decide(-0.008, -0.001, -0.007, -0.002, 0.01);
	assert_true(out.verdict == VERDICT_FASTER && out.within_margin);
	verdict_decide(&evidence, &out);
	assert_int_equal(out.verdict, VERDICT_SAME);
	evidence.label_bias = true;
	verdict_decide(&evidence, &out);
	assert_int_equal(out.verdict, VERDICT_INCONCLUSIVE);
	evidence.invalid = true;
	verdict_decide(&evidence, &out);
	assert_string_equal(verdict_name(out.verdict), "invalid");
}

static void
claims_refuse_bad_bounds(void **state)
{
	struct verdict_interval ci = {-0.3, -0.2};
	enum claim_verdict out;
	enum claimed kind;

	(void)state;
	assert_int_equal(claim_decide(CLAIMED_FASTER, 0.9, ci, ci, &out), STAT_BAD_ARGUMENT);
	assert_int_equal(claim_decide(CLAIMED_EQUIVALENT, 0, ci, ci, &out), STAT_BAD_ARGUMENT);
	assert_int_equal(claim_decide(CLAIMED_FASTER, NAN, ci, ci, &out), STAT_BAD_ARGUMENT);
	assert_int_equal(claim_decide(CLAIMED_FASTER, 1, ci, ci, &out), STAT_OK);
	assert_int_equal(out, CLAIM_SUPPORTED);
	assert_true(claimed_of("not_slower", &kind) && kind == CLAIMED_NOT_SLOWER);
	assert_false(claimed_of("quicker", &kind));
}

static void
until_ci_looks_every_four_pairs_from_sixteen(void **state)
{
	const struct stopping_rule rule = {
		.kind = STOPPING_UNTIL_CI, .pairs = 30, .half_width = 0.01};
	struct stopping_plan plan;
	struct stopping_look look;
	double d[30];
	enum pair_order order[30];

	(void)state;
	fill_orders(order, 30);
	for (size_t i = 0; i < 30; i++)
		d[i] = 0.05 * (double)(i * 7 % 11 < 5);
	assert_int_equal(stopping_prepare(&rule, &plan), STAT_OK);
	assert_int_equal(stopping_next(&plan, 0), 16);
	assert_int_equal(stopping_next(&plan, 16), 20);
	assert_int_equal(stopping_next(&plan, 28), 30);
	assert_int_equal(stopping_decide(&plan, d, order, 18, 18, &look), STAT_OK);
	assert_true(!look.looked && look.answer == STOPPING_GO_ON);
	assert_int_equal(stopping_decide(&plan, d, order, 16, 16, &look), STAT_OK);
	assert_true(look.looked && look.answer == STOPPING_GO_ON && look.conf == 0.96);
	assert_int_equal(stopping_decide(&plan, d, order, 30, 30, &look), STAT_OK);
	assert_int_equal(look.answer, STOPPING_PAIRS);
	for (size_t i = 0; i < 30; i++)
		d[i] /= 1000;
	assert_int_equal(stopping_decide(&plan, d, order, 16, 16, &look), STAT_OK);
	assert_int_equal(look.answer, STOPPING_PRECISE);
}

static void
planned_looks_stop_at_their_levels(void **state)
{
	struct stopping_rule rule = {
		.kind = STOPPING_LOOKS, .pairs = 40, .looks = 5, .alpha = 0.05};
	struct stopping_plan plan;
	struct stopping_look look;
	double d[40];
	enum pair_order order[40];

	(void)state;
	fill_orders(order, 40);
	for (size_t i = 0; i < 40; i++)
		d[i] = (order[i] == PAIR_AB ? 0.1 : -0.1) + 0.001 * (double)(i * 7 % 11);
	assert_int_equal(stopping_prepare(&rule, &plan), STAT_OK);
	assert_int_equal(stopping_next(&plan, 0), 8);
	assert_true(fabs(1 - plan.conf[1] - 0.000787897) < 1e-7);
	/* 4 + 4 pairs have no interval at 1 - 1e-6, however clear the difference is */
	assert_int_equal(stopping_decide(&plan, d, order, 8, 8, &look), STAT_OK);
	assert_true(look.looked && look.answer == STOPPING_GO_ON);
	assert_int_equal(look.estimate.interval_status, STAT_NO_INTERVAL);
	assert_int_equal(stopping_decide(&plan, d, order, 16, 16, &look), STAT_OK);
	assert_int_equal(look.answer, STOPPING_SIGNIFICANT);
	assert_int_equal(stopping_decide(&plan, d, order, 0, 40, &look), STAT_OK);
	assert_true(look.answer == STOPPING_PAIRS && isnan(look.estimate.lo));
	rule.looks = 0;
	assert_int_equal(stopping_prepare(&rule, &plan), STAT_BAD_ARGUMENT);
	rule = (struct stopping_rule){.kind = STOPPING_UNTIL_CI, .pairs = 40};
	assert_int_equal(stopping_prepare(&rule, &plan), STAT_BAD_ARGUMENT);
}

static void
reasons_are_words(void **state)
{
	(void)state;
	for (int status = STAT_OK; status <= STAT_TOO_MANY; status++)
		assert_true(strlen(stat_reason((enum stat_status)status)) > 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adjusted_p_values_refuse_what_is_none),
		cmocka_unit_test(plans_refuse_impossible_wishes),
		cmocka_unit_test(planned_looks_refuse_bad_information),
		cmocka_unit_test(too_few_control_pairs_never_alarm),
		cmocka_unit_test(verdicts_follow_the_interval),
		cmocka_unit_test(claims_refuse_bad_bounds),
		cmocka_unit_test(until_ci_looks_every_four_pairs_from_sixteen),
		cmocka_unit_test(planned_looks_stop_at_their_levels),
		cmocka_unit_test(reasons_are_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

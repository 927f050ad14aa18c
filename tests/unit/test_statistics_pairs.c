/* Degenerate data for the statistics of pairs and of the A/A control. */
#include "tests/unit/degenerate.h"

#include "analysis/crossover.h"
#include "analysis/describe.h"
#include "analysis/noise.h"
#include "analysis/paired.h"
#include "analysis/signflip.h"

static void
fill_orders(enum pair_order *order, size_t n)
{
	for (size_t i = 0; i < n; i++)
		order[i] = i % 4 == 0 || i % 4 == 3 ? PAIR_AB : PAIR_BA;
}

#define SCALAR(name, call)                                   \
	static struct answer name(const double *x, size_t n) \
	{                                                    \
		double out = 7;                              \
		enum stat_status status = call;              \
		return answer(status, 1, out);               \
	}

SCALAR(ask_relative, noise_relative(x, n, NULL, &out))

static struct answer
ask_paired_summary(const double *x, size_t n)
{
	double y[MOST];
	struct paired_summary o;
	enum stat_status status;

	fill_partner(y, n);
	status = paired_log_summary(x, y, n, &o);
	return answer(status, 6, o.mean, o.median, o.ratio_geomean, o.ratio_median,
		      o.ratio_of_means, o.ratio_of_medians);
}

static struct answer
ask_signed_rank(const double *x, size_t n)
{
	struct paired_signed_rank o;
	enum stat_status status = paired_signed_rank_exact(x, n, &o);

	return answer(status, 2, o.v, o.p);
}

static struct answer
ask_signed_rank_normal(const double *x, size_t n)
{
	struct paired_signed_rank o;
	enum stat_status status = paired_signed_rank_normal(x, n, &o);

	return answer(status, 2, o.v, o.p);
}

static struct answer
ask_hodges_lehmann(const double *x, size_t n)
{
	struct paired_hl o;
	enum stat_status status = paired_hodges_lehmann(x, n, 0.95, &o);

	if (status == STAT_OK && o.interval_status)
		return answer(status, 1, o.estimate);
	return answer(status, 4, o.estimate, o.lo, o.hi, o.achieved);
}

static struct answer
ask_sign(const double *x, size_t n)
{
	struct paired_sign o;
	enum stat_status status = paired_sign_test(x, n, &o);

	return answer(status, 1, o.p);
}

static struct answer
ask_signflip(const double *x, size_t n)
{
	struct signflip o;
	enum stat_status status = signflip_exact(x, n, &o);

	return answer(status, 3, o.count, o.total, o.p);
}

static struct answer
ask_rank_swap(const double *x, size_t n)
{
	double y[MOST];
	struct paired_rank_swap o;
	enum stat_status status;

	fill_partner(y, n);
	status = paired_rank_swap_exact(x, y, n, &o);
	return answer(status, 3, o.w, o.expected_w, o.p);
}

static struct answer
ask_paired_t(const double *x, size_t n)
{
	struct paired_t o;
	enum stat_status status = paired_t_test(x, n, 0.95, &o);

	return answer(status, 6, o.mean, o.t, o.df, o.p, o.lo, o.hi);
}

static struct answer
ask_tost(const double *x, size_t n)
{
	struct paired_tost o;
	enum stat_status status = paired_tost(x, n, 0.01, 0.05, &o);

	return answer(status, 5, o.p_lower, o.p_upper, o.p, o.lo, o.hi);
}

/* The pairs (x, partner) in a fixed order, as d = log(second/first). */
static enum stat_status
as_differences(const double *x, size_t n, double *d, enum pair_order *order)
{
	double y[MOST];

	fill_partner(y, n);
	fill_orders(order, n);
	return pairs_differences(x, y, order, n, d);
}

static struct answer
ask_crossover_hl(const double *x, size_t n)
{
	double d[MOST];
	enum pair_order order[MOST];
	struct crossover_hl o;
	enum stat_status status = as_differences(x, n, d, order), second;

	second = crossover_hl(d, order, n, 0.95, &o);
	status = status ? status : second;
	if (status == STAT_OK && o.interval_status)
		return answer(status, 4, o.log_ratio, o.ratio, o.p, o.slot);
	return answer(status, 8, o.log_ratio, o.lo, o.hi, o.achieved, o.ratio, o.ratio_lo,
		      o.ratio_hi, o.p);
}

static struct answer
ask_abba(const double *x, size_t n)
{
	double d[MOST];
	enum pair_order order[MOST];
	struct crossover_abba o;
	enum stat_status status = as_differences(x, n, d, order), second;

	second = crossover_abba(d, order, n, 0.95, &o);
	return answer(status ? status : second, 8, o.treat, o.treat_se, o.treat_lo, o.treat_hi,
		      o.treat_p, o.period, o.period_p, o.df);
}

static struct answer
ask_carryover(const double *x, size_t n)
{
	double y[MOST];
	enum pair_order order[MOST];
	struct crossover_carryover o;
	enum stat_status status;

	fill_partner(y, n);
	fill_orders(order, n);
	status = crossover_carryover(x, y, order, n, &o);
	return answer(status, 3, o.diff, o.t, o.p);
}

static struct answer
ask_floor(const double *x, size_t n)
{
	enum pair_order order[MOST];
	struct noise_floor o;
	enum stat_status status;

	fill_orders(order, n);
	status = noise_floor_mad(NULL, 0, x, order, n, &o);
	return answer(status, 3, o.residual_mad, o.floor_log, o.floor_percent);
}

static struct answer
ask_alarm(const double *x, size_t n)
{
	struct noise_alarm o;
	enum stat_status status = noise_aa_alarm(x, n, 0.99, 10, &o);

	if (status == STAT_OK && o.interval_status)
		return answer(status, 1, o.estimate);
	return answer(status, 4, o.estimate, o.lo, o.hi, o.achieved);
}

static struct answer
ask_bias(const double *x, size_t n)
{
	enum pair_order order[MOST];
	struct noise_bias o;
	enum stat_status status;

	fill_orders(order, n);
	status = noise_label_bias(x, order, n, 0.99, 10, &o);
	return answer(status, 3, o.estimate.log_ratio, o.estimate.ratio, o.estimate.p);
}

static const struct question asked[] = {
	{"paired summary", ask_paired_summary, 1, true, false, false},
	{"signed rank", ask_signed_rank, 1, false, false, true},
	{"signed rank normal", ask_signed_rank_normal, 1, false, false, true},
	{"hodges-lehmann", ask_hodges_lehmann, 1, false, false, false},
	{"sign", ask_sign, 1, false, false, true},
	{"sign flip", ask_signflip, 1, false, false, false},
	{"rank swap", ask_rank_swap, 1, false, false, false},
	{"paired t", ask_paired_t, 2, false, true, false},
	{"tost", ask_tost, 2, false, true, false},
	{"crossover hl", ask_crossover_hl, 2, true, false, false},
	{"crossover abba", ask_abba, 3, true, false, false},
	{"carryover", ask_carryover, 3, true, false, false},
	{"noise floor", ask_floor, 3, false, true, false},
	{"alarm", ask_alarm, 1, false, false, false},
	{"label bias", ask_bias, 2, false, false, false},
	{"relative", ask_relative, 1, false, false, false},
};

static void
scale_does_not_change_what_has_no_unit(void **state)
{
	double x[20], small[20], large[20], cv, cv_small, cv_large;
	struct paired_t t, t_small, t_large;

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		x[i] = 1 + 0.01 * (double)(i * 7 % 20);
		small[i] = x[i] * 0x1p-1000;
		large[i] = x[i] * 0x1p1000;
	}
	assert_int_equal(describe_cv(x, 20, &cv), STAT_OK);
	assert_int_equal(describe_cv(small, 20, &cv_small), STAT_OK);
	assert_int_equal(describe_cv(large, 20, &cv_large), STAT_OK);
	assert_true(fabs(cv_small - cv) < 1e-12 && fabs(cv_large - cv) < 1e-12);
	assert_int_equal(paired_t_test(x, 20, 0.95, &t), STAT_OK);
	assert_int_equal(paired_t_test(small, 20, 0.95, &t_small), STAT_OK);
	assert_int_equal(paired_t_test(large, 20, 0.95, &t_large), STAT_OK);
	assert_true(fabs(t_small.t / t.t - 1) < 1e-12 && fabs(t_large.t / t.t - 1) < 1e-12);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_values_have_no_answer),
		cmocka_unit_test(not_finite_is_refused),
		cmocka_unit_test(zero_and_negative_have_no_logarithm),
		cmocka_unit_test(constant_data_have_no_spread),
		cmocka_unit_test(extreme_values_give_no_made_up_number),
		cmocka_unit_test(input_is_left_as_it_was),
		cmocka_unit_test(scale_does_not_change_what_has_no_unit),
	};

	questions = asked;
	question_count = sizeof asked / sizeof *asked;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Degenerate data for the statistics of one sample and of two groups of values. */
#include "tests/unit/degenerate.h"

#include "analysis/bootstrap.h"
#include "analysis/describe.h"
#include "analysis/twosample.h"

#define SCALAR(name, call)                                   \
	static struct answer name(const double *x, size_t n) \
	{                                                    \
		double out = 7;                              \
		enum stat_status status = call;              \
		return answer(status, 1, out);               \
	}

SCALAR(ask_mean, describe_mean(x, n, &out))
SCALAR(ask_median, describe_median(x, n, &out))
SCALAR(ask_sd, describe_sd(x, n, &out))
SCALAR(ask_min, describe_min(x, n, &out))
SCALAR(ask_max, describe_max(x, n, &out))
SCALAR(ask_mad, describe_mad(x, n, &out))
SCALAR(ask_q7, describe_quantile(x, n, 0.9, 7, &out))
SCALAR(ask_q8, describe_quantile(x, n, 0.9, 8, &out))
SCALAR(ask_geomean, describe_geomean(x, n, &out))
SCALAR(ask_harmonic, describe_harmonic(x, n, &out))
SCALAR(ask_cv, describe_cv(x, n, &out))
SCALAR(ask_acceleration, bootstrap_acceleration(x, n, &out))

static struct answer
ask_mean_ci(const double *x, size_t n)
{
	struct describe_interval o;
	enum stat_status status = describe_mean_ci(x, n, 0.95, &o);

	return answer(status, 2, o.lo, o.hi);
}

static struct answer
ask_median_ci(const double *x, size_t n)
{
	struct describe_median_ci o;
	enum stat_status status = describe_median_ci(x, n, 0.95, &o);

	return answer(status, 3, o.lo, o.hi, o.achieved);
}

static struct answer
ask_mann_whitney(const double *x, size_t n)
{
	double y[MOST];
	struct twosample_mann_whitney o;
	enum stat_status status;

	fill_partner(y, n);
	status = twosample_mann_whitney(x, n, y, n, &o);
	return answer(status, 4, o.u1, o.u2, o.p_exact, o.a12);
}

static struct answer
ask_shift(const double *x, size_t n)
{
	double y[MOST];
	struct twosample_shift o;
	enum stat_status status;

	fill_partner(y, n);
	status = twosample_hl_shift(x, n, y, n, 0.95, &o);
	if (status == STAT_OK && o.interval_status)
		return answer(status, 1, o.estimate);
	return answer(status, 4, o.estimate, o.lo, o.hi, o.achieved);
}

static struct answer
ask_log_shift(const double *x, size_t n)
{
	double y[MOST];
	struct twosample_log_shift o;
	enum stat_status status;

	fill_partner(y, n);
	status = twosample_log_shift(x, n, y, n, 0.95, &o);
	if (status == STAT_OK && o.interval_status)
		return answer(status, 2, o.log_ratio, o.p);
	return answer(status, 5, o.log_ratio, o.lo, o.hi, o.achieved, o.p);
}

static struct answer
ask_welch(const double *x, size_t n)
{
	double y[MOST];
	struct twosample_welch o;
	enum stat_status status;

	fill_partner(y, n);
	status = twosample_welch(x, n, y, n, 0.95, &o);
	return answer(status, 6, o.diff, o.t, o.df, o.p, o.lo, o.hi);
}

static struct answer
ask_log_welch(const double *x, size_t n)
{
	double mean[MOST], y[MOST], unit[MOST];
	struct twosample_log_welch o;
	enum stat_status status, second;
	size_t units;

	fill_partner(y, n);
	for (size_t i = 0; i < n; i++)
		unit[i] = (double)i;
	status = twosample_unit_logs(x, unit, n, mean, &units);
	second = twosample_log_welch(mean, units, y, n, 0.95, &o);
	return answer(status ? status : second, 6, o.log_ratio, o.ratio, o.lo, o.hi, o.df, o.p);
}

static struct answer
ask_bootstrap(const double *x, size_t n)
{
	struct bootstrap_result o;
	enum stat_status status = bootstrap_mean(x, n, 0.95, 500, 1, &o);

	return answer(status, 3, o.estimate, o.lo, o.hi);
}

static struct answer
ask_bootstrap_ratio(const double *x, size_t n)
{
	double y[MOST];
	struct bootstrap_result o;
	enum stat_status status;

	fill_partner(y, n);
	status = bootstrap_ratio_of_means(x, y, n, 0.95, 500, 1, &o);
	return answer(status, 3, o.estimate, o.lo, o.hi);
}

static struct answer
ask_summary(const double *x, size_t n)
{
	struct describe_summary o;
	enum stat_status status = describe_summary(x, n, 0.95, &o);

	return answer(status, 7, o.mean, o.median, o.min, o.max, o.mad, o.q05, o.q95);
}

static const struct question asked[] = {
	{"mean", ask_mean, 1, false, false, false},
	{"median", ask_median, 1, false, false, false},
	{"sd", ask_sd, 2, false, false, false},
	{"min", ask_min, 1, false, false, false},
	{"max", ask_max, 1, false, false, false},
	{"mad", ask_mad, 1, false, false, false},
	{"quantile 7", ask_q7, 1, false, false, false},
	{"quantile 8", ask_q8, 1, false, false, false},
	{"geomean", ask_geomean, 1, true, false, false},
	{"harmonic", ask_harmonic, 1, true, false, false},
	{"cv", ask_cv, 2, true, false, false},
	{"mean ci", ask_mean_ci, 2, false, false, false},
	{"median ci", ask_median_ci, 6, false, false, false},
	{"summary", ask_summary, 1, false, false, false},
	{"mann-whitney", ask_mann_whitney, 1, false, false, false},
	{"shift", ask_shift, 1, false, false, false},
	{"log shift", ask_log_shift, 1, true, false, false},
	{"welch", ask_welch, 2, false, false, false},
	{"log welch", ask_log_welch, 2, true, false, false},
	{"bootstrap", ask_bootstrap, 2, false, true, false},
	{"bootstrap ratio", ask_bootstrap_ratio, 2, true, false, false},
	{"acceleration", ask_acceleration, 2, false, true, false},
};

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
	};

	questions = asked;
	question_count = sizeof asked / sizeof *asked;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

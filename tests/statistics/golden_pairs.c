/* Adapters for pairs, two groups of values, and the A/A control. */
#include "tests/statistics/golden.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/crossover.h"
#include "analysis/noise.h"
#include "analysis/paired.h"
#include "analysis/pairs.h"
#include "analysis/signflip.h"
#include "analysis/twosample.h"
#include "base/memory.h"
#include "tests/statistics/golden_sample.h"
#include "tests/statistics/golden_value.h"

static enum pair_order *
orders(const struct golden_input *input)
{
	enum pair_order *order = memory_zeroed(input->rows + 1, sizeof(*order));
	const char *const *cells = golden_cells(input, "order");

	for (size_t i = 0; cells && i < input->rows; i++)
		order[i] = strcmp(cells[i], "AB") == 0   ? PAIR_AB
			   : strcmp(cells[i], "BA") == 0 ? PAIR_BA
							 : PAIR_ORDER_UNKNOWN;
	return order;
}

/* d = log(second/first) of the pairs in columns a, b, order, to be freed like order. */
static double *
differences(const struct golden_input *input, enum pair_order **order)
{
	const double *a = golden_column(input, "a"), *b = golden_column(input, "b");
	double *d = golden_room(input->rows);

	*order = orders(input);
	pairs_differences(a ? a : d, b ? b : d, *order, input->rows, d);
	return d;
}

/* Entries about two columns of pairs, whatever their names. */
static bool
has_two(const struct golden_input *input)
{
	return input->columns >= 2;
}

static json_t *
run_log_ratio_summary(const struct golden_input *input)
{
	struct paired_summary out;

	if (!has_two(input))
		return NULL;
	paired_log_summary(input->values[0], input->values[1], input->rows, &out);
	return golden_numbers("n", (double)out.n, "mean", out.mean, "sd", out.sd, "median",
			      out.median, "ratio_geomean", out.ratio_geomean, "ratio_of_means",
			      out.ratio_of_means, "ratio_of_medians", out.ratio_of_medians, NULL);
}

static json_t *
run_signed_rank_exact(const struct golden_input *input)
{
	double *d = golden_sample(input);
	struct paired_signed_rank out;

	paired_signed_rank_exact(d, input->rows, &out);
	free(d);
	return golden_numbers("V", out.v, "n", (double)out.n, "p", out.p, NULL);
}

static json_t *
run_signed_rank_normal(const struct golden_input *input)
{
	double *d = golden_sample(input);
	struct paired_signed_rank out;

	paired_signed_rank_normal(d, input->rows, &out);
	free(d);
	return golden_numbers("V", out.v, "p", out.p, NULL);
}

static json_t *
run_hodges_lehmann(const struct golden_input *input)
{
	double *d = golden_sample(input);
	struct paired_hl out;

	paired_hodges_lehmann(d, input->rows, golden_needed(input, "conf"), &out);
	free(d);
	return golden_numbers("est", out.estimate, "lo", out.lo, "hi", out.hi, "lo_rank",
			      golden_rank(out.lo_rank), "hi_rank", golden_rank(out.hi_rank),
			      "achieved", out.achieved, "ratio", exp(out.estimate), "ratio_lo",
			      exp(out.lo), "ratio_hi", exp(out.hi), NULL);
}

static json_t *
run_sign_test(const struct golden_input *input)
{
	double *d = golden_sample(input);
	struct paired_sign out;

	paired_sign_test(d, input->rows, &out);
	free(d);
	return golden_numbers("pos", (double)out.positive, "n", (double)out.n, "p", out.p, NULL);
}

static json_t *
run_signflip_exact(const struct golden_input *input)
{
	double *d = golden_sample(input);
	struct signflip out;

	signflip_exact(d, input->rows, &out);
	free(d);
	return golden_numbers("p", out.p, "count", out.count, "total", out.total, NULL);
}

static json_t *
run_rank_swap_exact(const struct golden_input *input)
{
	struct paired_rank_swap out;

	if (!has_two(input))
		return NULL;
	paired_rank_swap_exact(input->values[0], input->values[1], input->rows, &out);
	return golden_numbers("W", out.w, "expected_W", out.expected_w, "p", out.p, NULL);
}

static json_t *
run_paired_t(const struct golden_input *input)
{
	double *d = golden_sample(input);
	struct paired_t out;

	paired_t_test(d, input->rows, golden_needed(input, "conf"), &out);
	free(d);
	return golden_numbers("mean", out.mean, "t", out.t, "df", out.df, "p", out.p, "lo", out.lo,
			      "hi", out.hi, NULL);
}

static json_t *
run_tost(const struct golden_input *input)
{
	double *l = golden_sample(input);
	struct paired_tost out;

	paired_tost(l, input->rows, golden_needed(input, "delta"), golden_needed(input, "alpha"),
		    &out);
	free(l);
	return golden_numbers("p_lower", out.p_lower, "p_upper", out.p_upper, "p", out.p, "ci_lo",
			      out.lo, "ci_hi", out.hi, NULL);
}

static json_t *
run_crossover_abba(const struct golden_input *input)
{
	enum pair_order *order;
	double *d = differences(input, &order);
	struct crossover_abba out;

	crossover_abba(d, order, input->rows, golden_param(input, "conf", 0.95), &out);
	free(d);
	free(order);
	return golden_numbers("treat", out.treat, "treat_se", out.treat_se, "treat_lo",
			      out.treat_lo, "treat_hi", out.treat_hi, "treat_p", out.treat_p,
			      "period", out.period, "period_p", out.period_p, "df", out.df, NULL);
}

static json_t *
run_crossover_carryover(const struct golden_input *input)
{
	const double *a = golden_column(input, "a"), *b = golden_column(input, "b");
	enum pair_order *order;
	struct crossover_carryover out;

	if (!a || !b)
		return NULL;
	order = orders(input);
	crossover_carryover(a, b, order, input->rows, &out);
	free(order);
	return golden_numbers("diff", out.diff, "t", out.t, "p", out.p, NULL);
}

static json_t *
run_crossover_hl(const struct golden_input *input)
{
	enum pair_order *order;
	double *d = differences(input, &order);
	struct crossover_hl out;

	crossover_hl(d, order, input->rows, golden_needed(input, "conf"), &out);
	free(d);
	free(order);
	return golden_numbers("n_ab", (double)out.n_ab, "n_ba", (double)out.n_ba, "log_ratio",
			      out.log_ratio, "lo", out.lo, "hi", out.hi, "achieved", out.achieved,
			      "ratio", out.ratio, "ratio_lo", out.ratio_lo, "ratio_hi",
			      out.ratio_hi, "p", out.p, "slot", out.slot, NULL);
}

/* Column 0 names the group, column 1 holds the value; x is the group with the lower label. */
struct two_groups {
	double *x, *y;
	size_t n1, n2;
};

/* Below 0 where row i's label comes before row j's; labels that are numbers compare as such. */
static int
compare_labels(const struct golden_input *input, size_t i, size_t j)
{
	double a = input->values[0][i], b = input->values[0][j];

	if (!isnan(a) && !isnan(b))
		return (a > b) - (a < b);
	return strcmp(input->cells[0][i], input->cells[0][j]);
}

static struct two_groups
two_groups(const struct golden_input *input)
{
	struct two_groups groups = {memory_zeroed(input->rows + 1, sizeof(double)),
				    memory_zeroed(input->rows + 1, sizeof(double)), 0, 0};
	size_t lowest = 0;

	if (!has_two(input))
		return groups;
	for (size_t i = 1; i < input->rows; i++) {
		if (compare_labels(input, i, lowest) < 0)
			lowest = i;
	}
	for (size_t i = 0; i < input->rows; i++) {
		if (compare_labels(input, i, lowest) == 0)
			groups.x[groups.n1++] = input->values[1][i];
		else
			groups.y[groups.n2++] = input->values[1][i];
	}
	return groups;
}

static void
two_groups_free(struct two_groups *groups)
{
	free(groups->x);
	free(groups->y);
}

static json_t *
run_mann_whitney(const struct golden_input *input)
{
	struct two_groups g = two_groups(input);
	struct twosample_mann_whitney out;

	twosample_mann_whitney(g.x, g.n1, g.y, g.n2, &out);
	two_groups_free(&g);
	return golden_numbers("U1", out.u1, "U2", out.u2, "p_exact", out.p_exact, "p_normal",
			      out.p_normal, "a12", out.a12, NULL);
}

static json_t *
run_hl_shift(const struct golden_input *input)
{
	struct two_groups g = two_groups(input);
	struct twosample_shift out;

	twosample_hl_shift(g.x, g.n1, g.y, g.n2, golden_needed(input, "conf"), &out);
	two_groups_free(&g);
	return golden_numbers("est", out.estimate, "lo", out.lo, "hi", out.hi, "achieved",
			      out.achieved, NULL);
}

static json_t *
run_welch_t(const struct golden_input *input)
{
	struct two_groups g = two_groups(input);
	struct twosample_welch out;

	twosample_welch(g.x, g.n1, g.y, g.n2, golden_needed(input, "conf"), &out);
	two_groups_free(&g);
	return golden_numbers("diff", out.diff, "t", out.t, "df", out.df, "p", out.p, "lo", out.lo,
			      "hi", out.hi, NULL);
}

/* The means of log t of the units named by params.unit, to be freed; none without the columns. */
static double *
unit_logs(const struct golden_input *input, size_t *units)
{
	const char *name = json_string_value(json_object_get(input->params, "unit"));
	const double *t = golden_column(input, "t"), *unit = golden_column(input, name ? name : "");
	double *mean = golden_room(input->rows);

	*units = 0;
	if (t && unit)
		twosample_unit_logs(t, unit, input->rows, mean, units);
	return mean;
}

static json_t *
run_log_welch_ratio(const struct golden_input *input)
{
	size_t n1, n2;
	double *base, *new;
	struct twosample_log_welch out;

	if (!input->aux)
		return NULL;
	base = unit_logs(input, &n1);
	new = unit_logs(input->aux, &n2);
	twosample_log_welch(base, n1, new, n2, golden_needed(input, "conf"), &out);
	free(base);
	free(new);
	return golden_numbers("log_ratio", out.log_ratio, "ratio", out.ratio, "lo", out.lo, "hi",
			      out.hi, "df", out.df, "p", out.p, NULL);
}

static json_t *
run_noise_floor_mad(const struct golden_input *input)
{
	enum pair_order *order, *aa_order = NULL;
	double *d = differences(input, &order);
	double *aa = input->aux ? differences(input->aux, &aa_order) : NULL;
	struct noise_floor out;

	noise_floor_mad(aa, aa ? input->aux->rows : 0, d, order, input->rows, &out);
	free(aa);
	free(aa_order);
	free(d);
	free(order);
	return golden_numbers("pairs", (double)out.pairs, "residuals", (double)out.residuals,
			      "residual_mad", out.residual_mad, "floor_log", out.floor_log,
			      "floor_percent", out.floor_percent, NULL);
}

static json_t *
run_aa_alarm(const struct golden_input *input)
{
	enum pair_order *order;
	double *d = differences(input, &order);
	struct noise_alarm out;
	json_t *got;

	noise_aa_alarm(d, input->rows, golden_needed(input, "conf"),
		       (size_t)golden_param(input, "min_pairs", 10), &out);
	free(d);
	free(order);
	got = golden_numbers("n", (double)out.n, "est", out.estimate, "lo", out.lo, "hi", out.hi,
			     "achieved", out.achieved, NULL);
	json_object_set_new(got, "alarm", json_boolean(out.alarm));
	json_object_set_new(got, "reason", json_string(out.reason));
	return got;
}

const struct golden_adapter golden_pairs[] = {
	{"log_ratio_summary", run_log_ratio_summary},
	{"signed_rank_exact", run_signed_rank_exact},
	{"signed_rank_normal", run_signed_rank_normal},
	{"hodges_lehmann", run_hodges_lehmann},
	{"hodges_lehmann_90", run_hodges_lehmann},
	{"sign_test", run_sign_test},
	{"signflip_exact", run_signflip_exact},
	{"rank_swap_exact", run_rank_swap_exact},
	{"paired_t", run_paired_t},
	{"tost", run_tost},
	{"crossover_abba", run_crossover_abba},
	{"crossover_carryover", run_crossover_carryover},
	{"crossover_hl", run_crossover_hl},
	{"mann_whitney", run_mann_whitney},
	{"hl_shift", run_hl_shift},
	{"welch_t", run_welch_t},
	{"log_welch_ratio", run_log_welch_ratio},
	{"noise_floor_mad", run_noise_floor_mad},
	{"aa_alarm", run_aa_alarm},
	{NULL, NULL},
};

/* Adapters to the statistics on one series of values. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/changepoint.h"
#include "analysis/dependence.h"
#include "analysis/modes.h"
#include "analysis/trend.h"
#include "base/memory.h"
#include "tests/statistics/golden_value.h"

static json_t *
run_dip(const struct golden_input *input)
{
	double dip;

	if (!golden_series_of(input))
		return NULL;
	modes_dip(golden_series_of(input), input->rows, &dip);
	return golden_numbers("value", dip, NULL);
}

static json_t *
run_theil_sen(const struct golden_input *input)
{
	struct theil_sen out;

	if (!golden_series_of(input))
		return NULL;
	trend_theil_sen(golden_series_of(input), input->rows, &out);
	return golden_numbers("slope", out.slope, "intercept", out.intercept, "total_drift_rel",
			      out.total_drift_rel, NULL);
}

static json_t *
run_mann_kendall(const struct golden_input *input)
{
	struct mann_kendall out;

	if (!golden_series_of(input))
		return NULL;
	trend_mann_kendall(golden_series_of(input), input->rows, &out);
	return golden_numbers("S", out.s, "var", out.var, "z", out.z, "p", out.p, NULL);
}

static json_t *
run_mann_kendall_exact(const struct golden_input *input)
{
	double p;

	if (!golden_series_of(input))
		return NULL;
	trend_mann_kendall_exact(golden_series_of(input), input->rows, &p);
	return golden_numbers("p", p, NULL);
}

static json_t *
run_acf1(const struct golden_input *input)
{
	double r;

	if (!golden_series_of(input))
		return NULL;
	dependence_acf1(golden_series_of(input), input->rows, &r);
	return golden_numbers("value", r, NULL);
}

static json_t *
run_ljung_box(const struct golden_input *input)
{
	struct ljung_box out;

	if (!golden_series_of(input))
		return NULL;
	dependence_ljung_box(golden_series_of(input), input->rows, golden_count(input, "lag", 0),
			     &out);
	return golden_numbers("Q", out.q, "p", out.p, NULL);
}

static json_t *
run_ess_geyer(const struct golden_input *input)
{
	struct ess_geyer out;

	if (!golden_series_of(input))
		return NULL;
	dependence_ess_geyer(golden_series_of(input), input->rows, &out);
	return golden_numbers("tau", out.tau, "ess", out.ess, NULL);
}

static json_t *
run_ess_ar1(const struct golden_input *input)
{
	double ess;

	if (!golden_series_of(input))
		return NULL;
	dependence_ess_ar1(golden_series_of(input), input->rows, &ess);
	return golden_numbers("value", ess, NULL);
}

static double
index_or_nan(size_t index)
{
	return index > 0 ? (double)index : NAN;
}

static json_t *
run_pettitt(const struct golden_input *input)
{
	struct pettitt out;

	if (!golden_series_of(input))
		return NULL;
	changepoint_pettitt(golden_series_of(input), input->rows, &out);
	return golden_numbers("K", out.k, "index", index_or_nan(out.index), "p", out.p, NULL);
}

static json_t *
run_amoc_mean(const struct golden_input *input)
{
	struct changepoint_split out;

	if (!golden_series_of(input))
		return NULL;
	changepoint_amoc_mean(golden_series_of(input), input->rows, &out);
	return golden_numbers("index", index_or_nan(out.index), "rss", out.rss, "mean_before",
			      out.mean_before, "mean_after", out.mean_after, NULL);
}

static json_t *
changepoints(const struct golden_input *input, bool with_variance)
{
	double floor = golden_param(input, "sd_floor_rel", CHANGEPOINT_SD_FLOOR_REL);
	double penalty = golden_param(input, "penalty_log_n",
				      with_variance ? CHANGEPOINT_MEANVAR_PENALTY
						    : CHANGEPOINT_MEAN_PENALTY);
	size_t shortest = golden_count(input, "min_segment", CHANGEPOINT_MIN_SEGMENT);
	size_t *index = memory_zeroed(input->rows + 1, sizeof(*index));
	struct changepoints out;
	enum stat_status status =
		with_variance ? changepoint_pelt_meanvar(golden_series_of(input), input->rows,
							 penalty, shortest, floor, index, &out)
			      : changepoint_pelt_mean(golden_series_of(input), input->rows, penalty,
						      shortest, index, &out);
	json_t *object = golden_numbers("count", status ? NAN : (double)out.count, "sigma",
					out.sigma, NULL),
	       *list = status ? json_null() : json_array();

	for (size_t i = 0; i < out.count; i++)
		json_array_append_new(list, json_integer((json_int_t)index[i]));
	json_object_set_new(object, "index", list);
	free(index);
	return object;
}

static json_t *
run_pelt_mean(const struct golden_input *input)
{
	return golden_series_of(input) ? changepoints(input, false) : NULL;
}

static json_t *
run_pelt_meanvar(const struct golden_input *input)
{
	return golden_series_of(input) ? changepoints(input, true) : NULL;
}

const struct golden_adapter golden_series[] = {
	{"dip", run_dip},
	{"theil_sen", run_theil_sen},
	{"mann_kendall", run_mann_kendall},
	{"mann_kendall_exact", run_mann_kendall_exact},
	{"acf1", run_acf1},
	{"ljung_box", run_ljung_box},
	{"ess_geyer", run_ess_geyer},
	{"ess_ar1", run_ess_ar1},
	{"pettitt", run_pettitt},
	{"changepoint_amoc_mean", run_amoc_mean},
	{"changepoint_pelt_mean", run_pelt_mean},
	{"changepoint_pelt_meanvar", run_pelt_meanvar},
	{NULL, NULL},
};

/* Adapters for summaries of one sample and bootstrap intervals. */
#include "tests/statistics/golden.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bootstrap.h"
#include "analysis/describe.h"
#include "base/memory.h"
#include "tests/statistics/golden_sample.h"
#include "tests/statistics/golden_value.h"

typedef enum stat_status scalar(const double *x, size_t n, double *out);

static json_t *
run_scalar(const struct golden_input *input, scalar *statistic)
{
	double *x = golden_sample(input), out;

	statistic(x, input->rows, &out);
	free(x);
	return golden_numbers("value", out, NULL);
}

static json_t *
run_n(const struct golden_input *input)
{
	return golden_numbers("value", (double)input->rows, NULL);
}

static json_t *
run_mean(const struct golden_input *input)
{
	return run_scalar(input, describe_mean);
}

static json_t *
run_median(const struct golden_input *input)
{
	return run_scalar(input, describe_median);
}

static json_t *
run_sd(const struct golden_input *input)
{
	return run_scalar(input, describe_sd);
}

static json_t *
run_min(const struct golden_input *input)
{
	return run_scalar(input, describe_min);
}

static json_t *
run_max(const struct golden_input *input)
{
	return run_scalar(input, describe_max);
}

static json_t *
run_mad(const struct golden_input *input)
{
	return run_scalar(input, describe_mad);
}

static json_t *
run_geomean(const struct golden_input *input)
{
	return run_scalar(input, describe_geomean);
}

static json_t *
run_harmonic(const struct golden_input *input)
{
	return run_scalar(input, describe_harmonic);
}

static json_t *
run_cv(const struct golden_input *input)
{
	return run_scalar(input, describe_cv);
}

static json_t *
quantiles(const struct golden_input *input, int type)
{
	json_t *probs = json_object_get(input->params, "probs"), *got = json_object(), *p;
	double *x = golden_sample(input), *q = golden_room(json_array_size(probs));
	size_t i;

	json_array_foreach(probs, i, p)
		describe_quantile(x, input->rows, json_number_value(p), type, &q[i]);
	golden_put_array(got, "q", q, json_array_size(probs));
	free(q);
	free(x);
	return got;
}

static json_t *
run_quantile_type7(const struct golden_input *input)
{
	return quantiles(input, 7);
}

static json_t *
run_quantile_type8(const struct golden_input *input)
{
	return quantiles(input, 8);
}

static json_t *
run_mean_ci(const struct golden_input *input)
{
	double *x = golden_sample(input);
	struct describe_interval ci;

	describe_mean_ci(x, input->rows, golden_needed(input, "conf"), &ci);
	free(x);
	return golden_numbers("lo", ci.lo, "hi", ci.hi, NULL);
}

static json_t *
run_median_ci(const struct golden_input *input)
{
	double *x = golden_sample(input);
	struct describe_median_ci ci;

	describe_median_ci(x, input->rows, golden_needed(input, "conf"), &ci);
	free(x);
	return golden_numbers("lo", ci.lo, "hi", ci.hi, "lo_rank", golden_rank(ci.lo_rank),
			      "hi_rank", golden_rank(ci.hi_rank), "achieved", ci.achieved, NULL);
}

static json_t *
run_trim_upper(const struct golden_input *input)
{
	double *x = golden_sample(input), mean, median, geomean;
	unsigned char *keep = memory_zeroed(input->rows + 1, 1);
	size_t kept, count = 0;

	describe_trim_upper(x, input->rows, golden_needed(input, "factor"), keep, &kept);
	for (size_t i = 0; i < input->rows; i++) {
		if (keep[i])
			x[count++] = x[i];
	}
	describe_mean(x, count, &mean);
	describe_median(x, count, &median);
	describe_geomean(x, count, &geomean);
	free(keep);
	free(x);
	return golden_numbers("kept", (double)kept, "mean", mean, "median", median, "geomean",
			      geomean, NULL);
}

enum { RESAMPLES = 40000, SEED = 20240601 };

static struct bootstrap_result
bootstrap(const struct golden_input *input)
{
	double *x = golden_sample(input);
	struct bootstrap_result out;

	bootstrap_mean(x, input->rows, golden_param(input, "conf", 0.95), RESAMPLES, SEED, &out);
	free(x);
	return out;
}

static json_t *
run_bootstrap_mean(const struct golden_input *input)
{
	struct bootstrap_result out = bootstrap(input);

	return golden_numbers("perc_lo", out.lo, "perc_hi", out.hi, NULL);
}

static json_t *
run_bootstrap_mean_bca(const struct golden_input *input)
{
	struct bootstrap_result out = bootstrap(input);

	return golden_numbers("bca_lo", out.bca_lo, "bca_hi", out.bca_hi, NULL);
}

static json_t *
run_bca_acceleration(const struct golden_input *input)
{
	double *x = golden_sample(input), out;

	bootstrap_acceleration(x, input->rows, &out);
	free(x);
	return golden_numbers("accel", out, NULL);
}

static json_t *
run_bootstrap_ratio_of_means(const struct golden_input *input)
{
	struct bootstrap_result out;

	if (input->columns < 2)
		return NULL;
	bootstrap_ratio_of_means(input->values[0], input->values[1], input->rows,
				 golden_needed(input, "conf"), RESAMPLES, SEED, &out);
	return golden_numbers("est", out.estimate, "perc_lo", out.lo, "perc_hi", out.hi, "bca_lo",
			      out.bca_lo, "bca_hi", out.bca_hi, NULL);
}

const struct golden_adapter golden_samples[] = {
	{"n", run_n},
	{"mean", run_mean},
	{"median", run_median},
	{"sd", run_sd},
	{"min", run_min},
	{"max", run_max},
	{"mad_raw", run_mad},
	{"quantile_type7", run_quantile_type7},
	{"quantile_type8", run_quantile_type8},
	{"geomean", run_geomean},
	{"harmonic_mean", run_harmonic},
	{"cv", run_cv},
	{"mean_ci_t", run_mean_ci},
	{"median_ci_order", run_median_ci},
	{"median_ci_order_99", run_median_ci},
	{"trim_upper", run_trim_upper},
	{"bootstrap_mean", run_bootstrap_mean},
	{"bootstrap_mean_bca", run_bootstrap_mean_bca},
	{"bca_acceleration", run_bca_acceleration},
	{"bootstrap_ratio_of_means", run_bootstrap_ratio_of_means},
	{NULL, NULL},
};

/* Adapters for power, planned looks, several tests at once, and claims. */
#include "tests/statistics/golden.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/claim.h"
#include "analysis/describe.h"
#include "analysis/multiplicity.h"
#include "analysis/power.h"
#include "analysis/sequential.h"
#include "base/memory.h"
#include "tests/statistics/golden_sample.h"
#include "tests/statistics/golden_value.h"

typedef enum stat_status adjustment(const double *p, size_t n, double *adjusted);

static json_t *
adjusted(const struct golden_input *input, adjustment *adjust)
{
	double *p = golden_sample(input);
	json_t *got = json_object();

	adjust(p, input->rows, p);
	golden_put_array(got, "p_adj", p, input->rows);
	free(p);
	return got;
}

static json_t *
run_holm(const struct golden_input *input)
{
	return adjusted(input, multiplicity_holm);
}

static json_t *
run_benjamini_hochberg(const struct golden_input *input)
{
	return adjusted(input, multiplicity_benjamini_hochberg);
}

static double
sample_sd(const struct golden_input *input)
{
	double *l = golden_sample(input), sd;

	describe_sd(l, input->rows, &sd);
	free(l);
	return sd;
}

static json_t *
run_mde(const struct golden_input *input)
{
	struct power_mde out;

	power_mde(sample_sd(input), input->rows, golden_needed(input, "alpha"),
		  golden_needed(input, "power"), &out);
	return golden_numbers("normal", out.normal, "t", out.t, "percent_t", out.percent_t, NULL);
}

static json_t *
pairs_needed(const struct golden_input *input, double sd)
{
	struct power_pairs out;

	power_pairs(sd, golden_needed(input, "effect"), golden_needed(input, "alpha"),
		    golden_needed(input, "power"), &out);
	return golden_numbers("normal", out.normal, "normal_ceil", out.normal_ceil, "t_iter",
			      out.t_iter, "wilcoxon_ceil", out.wilcoxon_ceil, "power_t_exact",
			      out.t_exact, NULL);
}

static json_t *
run_sample_size(const struct golden_input *input)
{
	return pairs_needed(input, sample_sd(input));
}

static json_t *
run_sample_size_paired(const struct golden_input *input)
{
	return pairs_needed(input, golden_needed(input, "sd_log_ratio"));
}

static json_t *
run_sample_size_cv(const struct golden_input *input)
{
	struct power_count out;

	power_standard_error(golden_needed(input, "cv_percent"),
			     golden_needed(input, "diff_percent"), &out);
	return golden_numbers("n", out.n, "n_rounded", out.rounded, "n_ceil", out.ceil, NULL);
}

static json_t *
run_sample_size_binomial(const struct golden_input *input)
{
	struct power_count out;
	double seconds;

	power_binomial(golden_needed(input, "z"), golden_needed(input, "p"),
		       golden_needed(input, "margin"), &out);
	power_sampling_seconds(golden_needed(input, "z"), golden_needed(input, "p"),
			       golden_needed(input, "margin"), golden_needed(input, "rate_hz"),
			       &seconds);
	return golden_numbers("n", out.n, "n_ceil", out.ceil, "seconds", seconds, NULL);
}

static json_t *
run_margin_binomial(const struct golden_input *input)
{
	double out;

	power_binomial_margin(golden_needed(input, "z"), golden_needed(input, "p"),
			      golden_needed(input, "n"), &out);
	return golden_numbers("value", out, NULL);
}

static json_t *
run_confidence_sequence_margin(const struct golden_input *input)
{
	double out;

	power_confidence_sequence(golden_needed(input, "t"), golden_needed(input, "rho2"),
				  golden_needed(input, "alpha"), golden_needed(input, "sd"), &out);
	return golden_numbers("value", out, NULL);
}

static json_t *
run_poisson_relative_error(const struct golden_input *input)
{
	double out;

	power_poisson_error(golden_needed(input, "count"), &out);
	return golden_numbers("value", out, NULL);
}

static json_t *
look_bounds(const struct golden_input *input, enum sequential_spending spending)
{
	json_t *information = json_object_get(input->params, "information"), *got = json_object();
	size_t looks = json_array_size(information);
	double *t = golden_room(looks), *spent = golden_room(looks), *z = golden_room(looks);
	struct sequential_look *out = memory_zeroed(looks + 1, sizeof(*out));

	for (size_t k = 0; k < looks; k++)
		t[k] = json_number_value(json_array_get(information, k));
	sequential_bounds(spending, t, looks, golden_needed(input, "alpha"), out);
	for (size_t k = 0; k < looks; k++) {
		spent[k] = out[k].spent;
		z[k] = out[k].z;
		t[k] = out[k].nominal_p;
	}
	golden_put_array(got, "alpha_spent", spent, looks);
	golden_put_array(got, "z", z, looks);
	golden_put_array(got, "nominal_p", t, looks);
	free(out);
	free(z);
	free(spent);
	free(t);
	return got;
}

static json_t *
run_group_sequential_of(const struct golden_input *input)
{
	return look_bounds(input, SEQUENTIAL_OBRIEN_FLEMING);
}

static json_t *
run_group_sequential_pocock(const struct golden_input *input)
{
	return look_bounds(input, SEQUENTIAL_POCOCK);
}

static json_t *
run_claim_verdict(const struct golden_input *input)
{
	const char *name = json_string_value(json_object_get(input->params, "claim"));
	struct verdict_interval ci95 = {golden_needed(input, "ci95_lo"),
					golden_needed(input, "ci95_hi")};
	struct verdict_interval ci90 = {golden_needed(input, "ci90_lo"),
					golden_needed(input, "ci90_hi")};
	double bound = golden_param(input, "by", golden_needed(input, "within"));
	enum claimed claimed;
	enum claim_verdict out;

	if (!name || !claimed_of(name, &claimed) ||
	    claim_decide(claimed, bound, ci95, ci90, &out) != STAT_OK)
		return json_pack("{s:n}", "verdict");
	return json_pack("{s:s}", "verdict", claim_verdict_name(out));
}

const struct golden_adapter golden_plans[] = {
	{"holm", run_holm},
	{"benjamini_hochberg", run_benjamini_hochberg},
	{"mde", run_mde},
	{"sample_size", run_sample_size},
	{"sample_size_paired", run_sample_size_paired},
	{"sample_size_cv", run_sample_size_cv},
	{"sample_size_binomial", run_sample_size_binomial},
	{"margin_binomial", run_margin_binomial},
	{"confidence_sequence_margin", run_confidence_sequence_margin},
	{"sampling_profile", run_sample_size_binomial},
	{"poisson_relative_error", run_poisson_relative_error},
	{"group_sequential_of", run_group_sequential_of},
	{"group_sequential_pocock", run_group_sequential_pocock},
	{"claim_verdict", run_claim_verdict},
	{NULL, NULL},
};

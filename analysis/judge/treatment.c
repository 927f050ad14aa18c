#include "analysis/judge/treatment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/changepoint.h"
#include "analysis/describe.h"
#include "analysis/judge/over_samples.h"
#include "analysis/trend.h"
#include "base/json.h"
#include "base/memory.h"

static void
set_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_number_or_null(value));
}

/* The groups that count for one treatment, in the order of their launches. */
struct treatment_values {
	double *values;
	size_t *index; /* into the observations */
	size_t count, samples;
};

static void
treatment_values(const struct observations *all, int treatment, const char *item, int column,
		 struct collapse how, struct treatment_values *out)
{
	const struct observed *observed = observations_of(all, item);
	size_t k;

	out->values = memory_zeroed(observed->count, sizeof *out->values);
	out->index = memory_zeroed(observed->count, sizeof *out->index);
	out->count = out->samples = 0;
	for (k = 0; k < observed->count; k++) {
		size_t i = observed->at[k];
		const struct observation *one = &all->items[i];

		if (!one->used || one->phase != OBSERVED_AB || one->treatment != treatment ||
		    observation_value(all, i, column, how, &out->values[out->count], NULL) != STAT_OK)
			continue;
		out->samples += one->rows;
		out->index[out->count++] = i;
	}
}

static json_t *
values_document(const struct observations *all, const struct treatment_values *set)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < set->count; i++) {
		const struct observation *one = &all->items[set->index[i]];
		json_t *value = json_pack("{s:i, s:i, s:i}", "session", one->session, "order", one->order,
					  "pair", one->pair);

		set_number(value, "started_ns", one->started_ns);
		set_number(value, "value", set->values[i]);
		json_array_append_new(list, value);
	}
	return list;
}

/* Drift and steps over the runs: what the drift figure draws. Index 1 is the first run. */
static json_t *
trend_document(const struct treatment_values *set)
{
	struct theil_sen line = {NAN, NAN, NAN};
	struct mann_kendall kendall = {.p = NAN};
	struct changepoints steps = {0};
	size_t *at = memory_zeroed(set->count, sizeof *at), i;
	json_t *trend = json_object(), *changes = json_array();

	trend_theil_sen(set->values, set->count, &line);
	trend_mann_kendall(set->values, set->count, &kendall);
	if (changepoint_pelt_meanvar(set->values, set->count, CHANGEPOINT_MEANVAR_PENALTY,
				     CHANGEPOINT_MIN_SEGMENT, CHANGEPOINT_SD_FLOOR_REL, at,
				     &steps) == STAT_OK)
		for (i = 0; i < steps.count; i++)
			json_array_append_new(changes, json_integer((json_int_t)at[i]));
	set_number(trend, "slope", line.slope);
	set_number(trend, "intercept", line.intercept);
	set_number(trend, "total_drift", line.total_drift_rel);
	set_number(trend, "p", kendall.p);
	json_object_set_new(trend, "changes", changes);
	free(at);
	return trend;
}

static void
put_summary(json_t *object, const struct treatment_values *set, double confidence)
{
	struct describe_summary s;
	bool known = describe_summary(set->values, set->count, confidence, &s) == STAT_OK;

	set_number(object, "median", known ? s.median : NAN);
	set_number(object, "median_lo", known ? s.median_ci.lo : NAN);
	set_number(object, "median_hi", known ? s.median_ci.hi : NAN);
	set_number(object, "median_level", known ? s.median_ci.achieved : NAN);
	set_number(object, "min", known ? s.min : NAN);
	set_number(object, "max", known ? s.max : NAN);
	set_number(object, "mad", known ? s.mad : NAN);
	set_number(object, "mean", known ? s.mean : NAN);
	set_number(object, "sd", known ? s.sd : NAN);
	set_number(object, "geomean", known ? s.geomean : NAN);
}

/* The pool of the group report, where the experiment asks for one. */
static json_t *
pool_document(const struct case_input *input, const struct case_options *options,
	      const struct treatment_values *set, int column)
{
	const struct group_report *report = &input->plan->group_report;
	size_t first = report->wanted && !report->counts_first && set->count > 0;
	double trim = options->collapse.trim_factor > 0 ? options->collapse.trim_factor : COLLAPSE_TRIM_FACTOR;

	return over_samples_document(input->observations, set->index + first, set->count - first, column,
				     report->wanted ? report->trim : trim);
}

json_t *
treatment_document(const struct case_input *input, const struct case_options *options, size_t index,
		   const char *item, int column)
{
	struct treatment_values set;
	json_t *object;

	treatment_values(input->observations, (int)index, item, column, options->collapse, &set);
	if (input->regime_problem != NULL)
		set.count = set.samples = 0;
	object = json_pack("{s:i, s:s, s:s, s:O*, s:i, s:i, s:o, s:o}", "treatment", (int)index, "name",
			   input->plan->treatments[index].name, "variant",
			   input->plan->treatments[index].variant, "blocked",
			   input->plan->treatments[index].blocked, "groups", (int)set.count, "samples",
			   (int)set.samples, "values", values_document(input->observations, &set), "trend",
			   trend_document(&set));
	put_summary(object, &set, options->confidence > 0 ? options->confidence : 0.95);
	json_object_set_new(object, "over_samples", pool_document(input, options, &set, column));
	free(set.values);
	free(set.index);
	return object;
}

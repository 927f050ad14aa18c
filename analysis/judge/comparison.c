#include "analysis/judge/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bootstrap.h"
#include "analysis/crossover.h"
#include "analysis/describe.h"
#include "analysis/judge/sentence.h"
#include "analysis/noise.h"
#include "analysis/paired.h"
#include "analysis/power.h"
#include "analysis/signflip.h"
#include "analysis/verdict.h"
#include "base/json.h"
#include "base/memory.h"

#define BOOTSTRAP_RESAMPLES 10000
#define BOOTSTRAP_SEED 20260101UL
#define POWER 0.8

static void
set_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_number_or_null(value));
}

/* ---- points ---- */

static json_t *
points_document(const struct comparison_context *context, const struct pair_set *set,
		const double *d)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < set->count; i++) {
		double better = context->lower_is_better ? set->a[i] / set->b[i] : set->b[i] / set->a[i];
		json_t *point = json_pack("{s:i, s:i, s:s}", "pair", set->pairs[i], "session",
					  set->sessions[i], "order",
					  set->orders[i] == PAIR_AB ? "AB" : "BA");

		set_number(point, "a", set->a[i]);
		set_number(point, "b", set->b[i]);
		set_number(point, "d", d[i]);
		set_number(point, "speedup", better);
		json_array_append_new(list, point);
	}
	return list;
}

/* ---- the primary analysis ---- */

struct primary {
	struct crossover_hl outer, inner; /* the interval, and that for sameness */
	enum stat_status status;
	struct noise_floor floor;
	double *d;
};

static enum stat_status
differences_or_nan(const struct pair_set *set, double *d)
{
	enum stat_status status = pairs_differences(set->a, set->b, set->orders, set->count, d);
	size_t i;

	for (i = 0; status != STAT_OK && i < set->count; i++)
		d[i] = NAN;
	return status;
}

static void
primary_compute(const struct comparison_context *context, const struct pair_set *set,
		struct primary *out)
{
	const struct pair_set *aa = context->aa;
	double *aa_d = memory_zeroed(aa->count, sizeof *aa_d);
	enum stat_status differences;

	out->d = memory_zeroed(set->count, sizeof *out->d);
	differences = differences_or_nan(set, out->d);
	differences_or_nan(aa, aa_d);
	out->status =
		crossover_hl(out->d, set->orders, set->count, context->confidence, &out->outer);
	if (differences != STAT_OK)
		out->status = differences;
	/* Two one-sided tests at 1 - confidence each (Schuirmann 1987). */
	crossover_hl(out->d, set->orders, set->count, 2 * context->confidence - 1, &out->inner);
	noise_floor_mad(aa_d, aa->count, out->d, set->orders, set->count, &out->floor);
	free(aa_d);
}

/* speedup is time A / time B, so the ends of the interval of b/a change places. */
static void
put_primary(const struct comparison_context *context, const struct primary *primary, json_t *object)
{
	const struct crossover_hl *hl = &primary->outer;
	double sign = context->lower_is_better ? -1 : 1;
	double end_one = exp(sign * hl->lo), end_two = exp(sign * hl->hi);

	set_number(object, "speedup", exp(sign * hl->log_ratio));
	set_number(object, "speedup_lo", fmin(end_one, end_two));
	set_number(object, "speedup_hi", fmax(end_one, end_two));
	set_number(object, "confidence", context->confidence);
	set_number(object, "level", hl->achieved);
	set_number(object, "p", hl->p);
	set_number(object, "log_ratio", hl->log_ratio);
	set_number(object, "log_lo", hl->lo);
	set_number(object, "log_hi", hl->hi);
	set_number(object, "log_inner_lo", primary->inner.lo);
	set_number(object, "log_inner_hi", primary->inner.hi);
	set_number(object, "slot_effect", hl->slot);
	set_number(object, "noise_floor_log", primary->floor.floor_log);
	set_number(object, "noise_floor_percent", primary->floor.floor_percent);
	json_object_set_new(object, "pairs_ab", json_integer((json_int_t)hl->n_ab));
	json_object_set_new(object, "pairs_ba", json_integer((json_int_t)hl->n_ba));
}

static void
put_medians(const struct comparison_context *context, const struct pair_set *set, json_t *object)
{
	double *ratios = memory_zeroed(set->count, sizeof *ratios);
	double paired = NAN, median_a = NAN, median_b = NAN;
	size_t i;

	for (i = 0; i < set->count; i++)
		ratios[i] = context->lower_is_better ? set->a[i] / set->b[i] : set->b[i] / set->a[i];
	describe_median(ratios, set->count, &paired);
	describe_median(set->a, set->count, &median_a);
	describe_median(set->b, set->count, &median_b);
	set_number(object, "median_paired_speedup", paired);
	set_number(object, "ratio_of_medians",
		   context->lower_is_better ? median_a / median_b : median_b / median_a);
	free(ratios);
}

/* ---- beside it: other methods on log(b/a), for a reader who wants to compare ---- */

static json_t *
interval_document(double estimate, double lo, double hi, double p)
{
	json_t *object = json_object();

	set_number(object, "estimate", estimate);
	set_number(object, "lo", lo);
	set_number(object, "hi", hi);
	set_number(object, "p", p);
	return object;
}

static json_t *
methods_document(const struct pair_set *set, double confidence)
{
	double *l = memory_zeroed(set->count, sizeof *l);
	json_t *methods = json_object();
	struct paired_signed_rank rank = {.p = NAN};
	struct paired_hl hl;
	struct paired_t t;
	struct signflip flip;
	struct paired_rank_swap swap;
	struct bootstrap_result boot;

	if (pairs_log_ratios(set->a, set->b, set->count, l) == STAT_OK) {
		paired_hodges_lehmann(l, set->count, confidence, &hl);
		paired_signed_rank_exact(l, set->count, &rank);
		json_object_set_new(methods, "signed_rank",
				    interval_document(hl.estimate, hl.lo, hl.hi, rank.p));
		paired_t_test(l, set->count, confidence, &t);
		json_object_set_new(methods, "paired_t", interval_document(t.mean, t.lo, t.hi, t.p));
		signflip_exact(l, set->count, &flip);
		json_object_set_new(methods, "sign_flip", interval_document(NAN, NAN, NAN, flip.p));
		paired_rank_swap_exact(set->a, set->b, set->count, &swap);
		json_object_set_new(methods, "rank_swap", interval_document(NAN, NAN, NAN, swap.p));
		bootstrap_mean(l, set->count, confidence, BOOTSTRAP_RESAMPLES, BOOTSTRAP_SEED, &boot);
		json_object_set_new(methods, "bca_bootstrap_mean",
				    interval_document(boot.estimate, boot.bca_lo, boot.bca_hi, NAN));
		json_object_set_new(methods, "bootstrap_seed", json_integer(BOOTSTRAP_SEED));
	}
	free(l);
	return methods;
}

/* ---- the verdict ---- */

/* For the effect that was declared, never for the one seen; NaN without one. */
static double
pairs_needed(const struct comparison_context *context, const struct pair_set *set,
	     const struct primary *primary)
{
	double effect = context->plan->design.effect, sd, pairs;

	if (!(effect > 0) || crossover_spread(primary->d, set->orders, set->count, &sd) != STAT_OK ||
	    power_plan_pairs(sd, effect, 1 - context->confidence, POWER, &pairs) != STAT_OK)
		return NAN;
	return pairs;
}

/* What an inconclusive comparison would have needed, added to its reason. */
static char *
with_pairs_needed(char *reason, double effect, double pairs)
{
	char *longer;

	if (!isfinite(pairs))
		return reason;
	longer = memory_format("%s; the declared effect of %.3g %% takes %.0f pairs at this noise (power "
			       "%.0f %%)", reason, 100 * effect, pairs, 100 * POWER);
	free(reason);
	return longer;
}

/* Why there is no interval; the caller frees. */
static char *
too_few_reason(const struct comparison_context *context, const struct primary *primary)
{
	size_t needed = 0;

	if (primary->status == STAT_NOT_POSITIVE)
		return memory_format("some %s are 0, of which there is no ratio; where that is a time, it is too "
				     "short for its clock: let a run do more work, or compare another metric",
				     context->metric);
	if (primary->status != STAT_OK && primary->status != STAT_TOO_FEW &&
	    primary->status != STAT_ONE_ORDER)
		return memory_copy_text(stat_reason(primary->status));
	power_pairs_for_p(1 - context->confidence, &needed);
	return memory_format("a %.3g %% interval needs at least %zu AB and %zu BA pairs",
			     100 * context->confidence, needed / 2, needed - needed / 2);
}

static void
put_verdict(const struct comparison_context *context, const struct pair_set *set,
	    const struct primary *primary, json_t *object)
{
	struct verdict_interval wide = {primary->outer.lo, primary->outer.hi};
	struct verdict_interval inner = {primary->inner.lo, primary->inner.hi};
	struct verdict_evidence evidence = {
		.primary = context->lower_is_better ? wide : verdict_flip(wide),
		.inner = context->lower_is_better ? inner : verdict_flip(inner),
		.margin = context->plan->design.margin,
		.p_adjusted = NAN,
		.alpha = 1 - context->confidence,
		.invalid = context->invalid_reason != NULL,
	};
	double needed = pairs_needed(context, set, primary);
	struct verdict_result result;
	char *reason;

	verdict_decide(&evidence, &result);
	if (context->invalid_reason != NULL)
		reason = memory_copy_text(context->invalid_reason);
	else if (context->absent != NULL)
		reason = memory_copy_text(context->absent);
	else if (!isfinite(wide.lo))
		reason = too_few_reason(context, primary);
	else
		reason = memory_copy_text(result.reason);
	if (result.verdict == VERDICT_INCONCLUSIVE)
		reason = with_pairs_needed(reason, context->plan->design.effect, needed);
	json_object_set_new(object, "verdict", json_string(verdict_name(result.verdict)));
	json_object_set_new(object, "within_margin", json_boolean(result.within_margin));
	json_object_set_new(object, "reason", json_string(reason));
	free(reason);
	set_number(object, "pairs_needed", needed);
	set_number(object, "margin", context->plan->design.margin > 0 ? context->plan->design.margin : NAN);
}

static void
put_sentence(json_t *object, const char *metric, const char *item, const char *point_text)
{
	struct buffer sentence = BUFFER_EMPTY;

	sentence_comparison(object, metric, item, point_text, &sentence);
	json_object_set_new(object, "sentence", json_string(buffer_text(&sentence)));
	buffer_free(&sentence);
}

bool
comparison_shows_difference(const json_t *comparison)
{
	const char *verdict = json_get_text(comparison, "verdict");

	return strcmp(verdict, "faster") == 0 || strcmp(verdict, "slower") == 0;
}

void
comparison_withdraw(json_t *comparison, const char *metric, const char *item,
		    const char *point_text, const char *reason)
{
	json_object_set_new(comparison, "verdict", json_string(verdict_name(VERDICT_INCONCLUSIVE)));
	json_object_set_new(comparison, "reason", json_string(reason));
	put_sentence(comparison, metric, item, point_text);
}

/* Where the case is invalid no number of the comparison may be printed anywhere; and where most of
 * an item's pairs lack, the others are no fair choice. */
static const struct pair_set *
printable(const struct comparison_context *context, const struct pair_set *set)
{
	static const struct pair_set nothing;

	return context->invalid_reason != NULL || context->absent != NULL ? &nothing : set;
}

json_t *
comparison_document(const struct comparison_context *context, const struct pair_set *all)
{
	const struct pair_set *set = printable(context, all);
	const struct plan_treatment *treatments = context->plan->treatments;
	const char *b_name = context->b_name != NULL ? context->b_name : treatments[context->which->b].name;
	json_t *object = json_pack("{s:i, s:i, s:s, s:s, s:i}", "a", (int)context->which->a, "b",
				   (int)context->which->b, "a_name", treatments[context->which->a].name,
				   "b_name", b_name, "pairs",
				   (int)set->count);
	struct primary primary;

	primary_compute(context, set, &primary);
	put_primary(context, &primary, object);
	put_medians(context, set, object);
	json_object_set_new(object, "absent", json_boolean(context->absent != NULL));
	put_verdict(context, set, &primary, object);
	json_object_set_new(object, "points", points_document(context, set, primary.d));
	json_object_set_new(object, "methods", methods_document(set, context->confidence));
	set_number(object, "trimmed_share",
		   set->samples > 0 ? (double)set->trimmed / (double)set->samples : NAN);
	json_object_set_new(object, "samples", json_integer((json_int_t)set->samples));
	put_sentence(object, context->metric, context->item, context->point_text);
	free(primary.d);
	return object;
}

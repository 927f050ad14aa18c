#include "analysis/stopping.h"

#include <math.h>

static enum stopping_answer
answer_of(const struct stopping_rule *rule, size_t measured, const struct crossover_hl *estimate)
{
	bool interval = estimate->interval_status == STAT_OK;

	if (interval && rule->kind == STOPPING_UNTIL_CI &&
	    (estimate->hi - estimate->lo) / 2 <= log1p(rule->half_width))
		return STOPPING_PRECISE;
	if (interval && rule->kind == STOPPING_LOOKS && (estimate->lo > 0 || estimate->hi < 0))
		return STOPPING_SIGNIFICANT;
	return measured >= rule->pairs ? STOPPING_PAIRS : STOPPING_GO_ON;
}

enum stat_status
stopping_decide(const struct stopping_plan *plan, const double *d, const enum pair_order *order,
		size_t n, size_t measured, struct stopping_look *out)
{
	enum stat_status status;

	*out = (struct stopping_look){.answer = STOPPING_GO_ON, .conf = NAN};
	crossover_hl(NULL, NULL, 0, 0.95, &out->estimate); /* no pairs: all unavailable */
	if (!stopping_is_look(plan, measured))
		return STAT_OK;
	out->looked = true;
	out->conf = stopping_level(plan, measured);
	status = crossover_hl(d, order, n, out->conf, &out->estimate);
	if (status == STAT_TOO_FEW || status == STAT_ONE_ORDER)
		status = STAT_OK;
	out->answer = answer_of(&plan->rule, measured, &out->estimate);
	return status;
}

#include "analysis/verdict.h"

#include <math.h>
#include <stddef.h>

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* log(1.2) from a spec and log(1.2) from data may differ in the last bit. */
static const double slack = 1e-12;

struct verdict_interval
verdict_flip(struct verdict_interval interval)
{
	return (struct verdict_interval){-interval.hi, -interval.lo};
}

bool
verdict_interval_exists(struct verdict_interval interval)
{
	return !isnan(interval.lo) && !isnan(interval.hi);
}

/* Every comparison with NaN is false. */
bool
verdict_inside(struct verdict_interval interval, struct verdict_interval region)
{
	return interval.lo >= region.lo - slack && interval.hi <= region.hi + slack;
}

bool
verdict_disjoint(struct verdict_interval interval, struct verdict_interval region)
{
	return interval.hi < region.lo - slack || interval.lo > region.hi + slack;
}

static enum verdict
direction(const struct verdict_evidence *evidence)
{
	if (evidence->primary.hi < 0)
		return VERDICT_FASTER;
	if (evidence->primary.lo > 0)
		return VERDICT_SLOWER;
	return VERDICT_INCONCLUSIVE;
}

static void
conclude(struct verdict_result *out, enum verdict verdict, const char *reason)
{
	out->verdict = verdict;
	out->reason = reason;
}

static bool
margin_declared(double margin)
{
	return margin > 0 && isfinite(margin);
}

static void
decide_sameness(const struct verdict_evidence *evidence, struct verdict_interval band,
		bool adjusted_away, struct verdict_result *out)
{
	if (margin_declared(evidence->margin) && verdict_inside(evidence->inner, band))
		conclude(out, VERDICT_SAME, "");
	else if (adjusted_away)
		conclude(out, VERDICT_INCONCLUSIVE,
			 "not significant after the adjustment for several comparisons");
	else if (!verdict_interval_exists(evidence->primary))
		conclude(out, VERDICT_INCONCLUSIVE, "too few pairs for an interval");
	else if (!margin_declared(evidence->margin))
		conclude(out, VERDICT_INCONCLUSIVE,
			 "the interval holds no difference, and no margin is declared");
	else
		conclude(out, VERDICT_INCONCLUSIVE,
			 "the interval holds no difference and reaches beyond the margin");
}

void
verdict_decide(const struct verdict_evidence *evidence, struct verdict_result *out)
{
	double edge = log1p(evidence->margin);
	struct verdict_interval band = {-edge, edge};
	enum verdict verdict = direction(evidence);
	bool adjusted_away =
		verdict != VERDICT_INCONCLUSIVE && evidence->p_adjusted > evidence->alpha;

	out->within_margin = false;
	if (evidence->invalid) {
		conclude(out, VERDICT_INVALID, "the comparison is not valid");
	} else if (evidence->label_bias) {
		conclude(out, VERDICT_INCONCLUSIVE,
			 "the set-up favours one label even for identical programs");
	} else if (verdict == VERDICT_INCONCLUSIVE || adjusted_away) {
		decide_sameness(evidence, band, adjusted_away, out);
	} else {
		conclude(out, verdict, "");
		out->within_margin = margin_declared(evidence->margin) &&
				     verdict_inside(evidence->primary, band);
	}
}

const char *
verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_INVALID] = "invalid", [VERDICT_INCONCLUSIVE] = "inconclusive",
		[VERDICT_FASTER] = "faster",   [VERDICT_SLOWER] = "slower",
		[VERDICT_SAME] = "same",
	};

	return (size_t)verdict < LENGTH(names) ? names[verdict] : "unknown";
}

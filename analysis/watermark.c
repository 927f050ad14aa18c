#include "analysis/watermark.h"

#include <math.h>

enum part { ARITHMETIC, MEMORY, SYNCHRONISATION, PARTS };

const char *
watermark_resource_name(enum watermark_resource resource)
{
	static const char *const names[] = {"unknown", "none", "several", "arithmetic", "memory bandwidth",
					    "latency", "memory", "synchronisation"};

	return names[resource];
}

enum watermark_effect_is
watermark_effect_is(const struct watermark_effect *effect)
{
	if (effect->lo > WATERMARK_MATTERS)
		return WATERMARK_SENSITIVE;
	return effect->hi < WATERMARK_MATTERS ? WATERMARK_INSENSITIVE : WATERMARK_UNCLEAR;
}

/* More of it is more time: then it is short of units, else of the results that it waits for. */
static void
decide_arithmetic(const struct watermark_effect *added, struct watermark_diagnosis *out)
{
	switch (watermark_effect_is(added)) {
	case WATERMARK_SENSITIVE:
		*out = (struct watermark_diagnosis){WATERMARK_ARITHMETIC, "more arithmetic takes more time"};
		break;
	case WATERMARK_INSENSITIVE:
		*out = (struct watermark_diagnosis){WATERMARK_LATENCY, "more arithmetic takes no more time: the units "
						    "are idle while one result waits for the one before"};
		break;
	case WATERMARK_UNCLEAR:
		*out = (struct watermark_diagnosis){WATERMARK_UNKNOWN, "it gains without its arithmetic, and whether "
						    "more of it takes more time is not clear"};
		break;
	}
}

static void
decide_memory(double share, struct watermark_diagnosis *out)
{
	if (isnan(share))
		*out = (struct watermark_diagnosis){WATERMARK_MEMORY, "no measured bandwidth to tell traffic from "
						    "latency"};
	else if (share >= WATERMARK_BANDWIDTH_SHARE)
		*out = (struct watermark_diagnosis){WATERMARK_BANDWIDTH, "its traffic is at the machine's bandwidth"};
	else
		*out = (struct watermark_diagnosis){WATERMARK_LATENCY, "its traffic is far below the machine's "
						    "bandwidth: it waits for one load after the other"};
}

/* The removal by which it gains most and clearly, or PARTS; *alike when another is not clearly less. */
static enum part
most_gained(const struct watermark_effect *const *gains, int *alike)
{
	enum part best = PARTS, i;

	*alike = 0;
	for (i = ARITHMETIC; i < PARTS; i++)
		if (watermark_effect_is(gains[i]) == WATERMARK_SENSITIVE &&
		    (best == PARTS || gains[i]->factor > gains[best]->factor))
			best = i;
	for (i = ARITHMETIC; best < PARTS && i < PARTS; i++)
		*alike |= i != best && watermark_effect_is(gains[i]) != WATERMARK_INSENSITIVE &&
			  gains[i]->hi >= gains[best]->lo;
	return best;
}

void
watermark_decide(const struct watermark_evidence *evidence, struct watermark_diagnosis *out)
{
	const struct watermark_effect *const gains[PARTS] = {&evidence->arithmetic_removed, &evidence->one_element,
							     &evidence->sync_removed};
	int alike, unclear = 0;
	enum part i, best = most_gained(gains, &alike);

	for (i = ARITHMETIC; i < PARTS; i++)
		unclear |= !isnan(gains[i]->factor) && watermark_effect_is(gains[i]) == WATERMARK_UNCLEAR;
	if (alike)
		*out = (struct watermark_diagnosis){WATERMARK_SEVERAL, "two removals may gain alike"};
	else if (best == ARITHMETIC)
		decide_arithmetic(&evidence->arithmetic_added, out);
	else if (best == MEMORY)
		decide_memory(evidence->bandwidth_share, out);
	else if (best == SYNCHRONISATION)
		*out = (struct watermark_diagnosis){WATERMARK_SYNCHRONISATION, "it gains most without it"};
	else if (unclear || isnan(gains[ARITHMETIC]->factor) || isnan(gains[MEMORY]->factor))
		*out = (struct watermark_diagnosis){WATERMARK_UNKNOWN, "too few perturbations are clear"};
	else
		*out = (struct watermark_diagnosis){WATERMARK_NONE, "it gains by none of the perturbations"};
}

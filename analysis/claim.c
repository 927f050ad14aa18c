#include "analysis/claim.h"

#include <math.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

enum stat_status
claim_region(enum claimed kind, double bound, struct verdict_interval *region)
{
	bool factor = kind == CLAIMED_FASTER || kind == CLAIMED_SLOWER;

	*region = (struct verdict_interval){NAN, NAN};
	if (!isfinite(bound) || kind == CLAIMED_DIFFERENT)
		return STAT_BAD_ARGUMENT;
	if (factor ? bound < 1 : kind == CLAIMED_EQUIVALENT ? bound <= 0 : bound < 0)
		return STAT_BAD_ARGUMENT;
	*region = (struct verdict_interval){-INFINITY, INFINITY};
	if (kind == CLAIMED_FASTER)
		region->hi = -log(bound);
	else if (kind == CLAIMED_SLOWER)
		region->lo = log(bound);
	else
		region->hi = log1p(bound);
	if (kind == CLAIMED_EQUIVALENT)
		region->lo = -log1p(bound);
	return STAT_OK;
}

enum stat_status
claim_decide(enum claimed kind, double bound, struct verdict_interval ci95,
	     struct verdict_interval ci90, enum claim_verdict *out)
{
	struct verdict_interval region;
	enum stat_status status;

	*out = CLAIM_OPEN;
	if (kind == CLAIMED_DIFFERENT) {
		if (ci95.lo > 0 || ci95.hi < 0)
			*out = CLAIM_SUPPORTED;
		return STAT_OK;
	}
	status = claim_region(kind, bound, &region);
	if (status)
		return status;
	if (verdict_inside(kind == CLAIMED_EQUIVALENT ? ci90 : ci95, region))
		*out = CLAIM_SUPPORTED;
	else if (verdict_interval_exists(ci95) && verdict_disjoint(ci95, region))
		*out = CLAIM_REFUTED;
	return STAT_OK;
}

static const char *const kind_names[] = {
	[CLAIMED_FASTER] = "faster",         [CLAIMED_SLOWER] = "slower",
	[CLAIMED_NOT_SLOWER] = "not_slower", [CLAIMED_EQUIVALENT] = "equivalent",
	[CLAIMED_DIFFERENT] = "different",
};

const char *
claimed_name(enum claimed kind)
{
	return (size_t)kind < LENGTH(kind_names) ? kind_names[kind] : "unknown";
}

bool
claimed_of(const char *name, enum claimed *kind)
{
	for (size_t i = 0; i < LENGTH(kind_names); i++) {
		if (strcmp(name, kind_names[i]) == 0) {
			*kind = (enum claimed)i;
			return true;
		}
	}
	return false;
}

const char *
claim_verdict_name(enum claim_verdict verdict)
{
	static const char *const names[] = {
		[CLAIM_OPEN] = "open",
		[CLAIM_SUPPORTED] = "supported",
		[CLAIM_REFUTED] = "refuted",
	};

	return (size_t)verdict < LENGTH(names) ? names[verdict] : "unknown";
}

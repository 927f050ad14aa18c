#ifndef ASSAY_CLAIM_H
#define ASSAY_CLAIM_H

#include "analysis/stat.h"
#include "analysis/verdict.h"
#include <stdbool.h>

/*
 * What the author claimed against intervals of log(new/old), where less is better; verdict_flip
 * them where more is better. An interval that does not exist has NaN bounds.
 */

enum claimed {
	CLAIMED_FASTER,     /* by = r >= 1: time ratio at most 1/r */
	CLAIMED_SLOWER,     /* by = r >= 1: time ratio at least r */
	CLAIMED_NOT_SLOWER, /* within = x >= 0: time ratio at most 1 + x */
	CLAIMED_EQUIVALENT, /* within = x > 0: inside 1/(1 + x) .. 1 + x */
	CLAIMED_DIFFERENT,  /* no bound */
};

enum claim_verdict {
	CLAIM_OPEN,
	CLAIM_SUPPORTED,
	CLAIM_REFUTED,
};

/*
 * The closed region of log(new/old) that a claim asserts; infinite bounds where it has none.
 * STAT_BAD_ARGUMENT for a bound outside its range and for CLAIMED_DIFFERENT, which asserts the
 * complement of 0.
 */
enum stat_status claim_region(enum claimed kind, double bound, struct verdict_interval *region);

/*
 * Supported: the 95 % interval lies inside the region (equivalent: the 90 % interval does).
 * Refuted: the 95 % interval is disjoint from it; touching is not disjoint. Different is
 * supported when the 95 % interval excludes 0 and never refuted. Else open.
 */
enum stat_status claim_decide(enum claimed kind, double bound, struct verdict_interval ci95,
			      struct verdict_interval ci90, enum claim_verdict *out);

/* "faster", "not_slower", … ; claimed_of returns false for a name that is none. */
const char *claimed_name(enum claimed kind);

bool claimed_of(const char *name, enum claimed *kind);

/* "supported", "refuted", "open". */
const char *claim_verdict_name(enum claim_verdict verdict);

#endif

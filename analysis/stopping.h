#ifndef ASSAY_STOPPING_H
#define ASSAY_STOPPING_H

#include "analysis/crossover.h"
#include "analysis/pairs.h"
#include "analysis/stat.h"
#include <stdbool.h>
#include <stddef.h>

/*
 * When a growing case may stop. Rules are declared before the first pair; the level at which
 * the result may be reported belongs to the rule and to the look at which it stopped.
 */

enum { STOPPING_MOST_LOOKS = 50 };

enum stopping_kind {
	STOPPING_FIXED,    /* pairs were fixed beforehand; no look before the end */
	STOPPING_UNTIL_CI, /* precision: looks every 4 pairs from 16 on, at 96 % */
	STOPPING_LOOKS,    /* planned looks on significance, O'Brien-Fleming spending; the order
			      of all pairs must be shuffled as one chunk, or else periodic noise
			      can raise 5 % false to 6 */
};

struct stopping_rule {
	enum stopping_kind kind;
	size_t pairs;      /* FIXED: how many; else at most how many */
	double half_width; /* UNTIL_CI: relative half width wanted, such as 0.01 */
	size_t looks;      /* LOOKS: how many, evenly spaced over the pairs */
	double alpha;      /* LOOKS: two-sided, over all looks; FIXED: 1 - the level, as 0.05 */
};

/* A rule checked, and the levels of its planned looks: stopping_prepare. Nothing to free. */
struct stopping_plan {
	struct stopping_rule rule;
	size_t at[STOPPING_MOST_LOOKS];   /* LOOKS: pairs measured at look k */
	double conf[STOPPING_MOST_LOOKS]; /* LOOKS: 1 - its nominal p */
};

/* STAT_BAD_ARGUMENT for a rule that is none. */
enum stat_status stopping_prepare(const struct stopping_rule *rule, struct stopping_plan *plan);

/* The first look of the rule at more pairs than are measured; the last when there is none. */
size_t stopping_next(const struct stopping_plan *plan, size_t measured);

/* Does the rule look at that many pairs? */
bool stopping_is_look(const struct stopping_plan *plan, size_t measured);

/* The level at which a result of that many pairs may be reported. */
double stopping_level(const struct stopping_plan *plan, size_t measured);

enum stopping_answer {
	STOPPING_GO_ON,
	STOPPING_PAIRS,       /* all pairs are there */
	STOPPING_PRECISE,     /* the interval is narrow enough */
	STOPPING_SIGNIFICANT, /* the interval of a planned look excludes 0 */
};

struct stopping_look {
	enum stopping_answer answer;
	bool looked; /* this was a look of the rule, to be written to the ledger */
	double conf; /* the level to report at if the case ends here; NaN if not looked */
	struct crossover_hl estimate; /* at that level; all NaN when not looked */
};

/*
 * measured pairs are done, of which n are valid: d (pairs_differences) and order. Goes on
 * without reading the data unless the rule has a look at this number of measured pairs. A look
 * without an exact interval at its level can't stop before the last. Otherwise fails as
 * crossover_hl does, but that too few pairs or one order only goes on.
 */
enum stat_status stopping_decide(const struct stopping_plan *plan, const double *d,
				 const enum pair_order *order, size_t n, size_t measured,
				 struct stopping_look *out);

/* "all pairs are measured", …; static. */
const char *stopping_reason(enum stopping_answer answer);

#endif

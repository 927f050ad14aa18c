#ifndef ASSAY_GROWTH_H
#define ASSAY_GROWTH_H

#include "schedule/plan.h"

/* How a case may grow, as its design declares it: counts and texts, no statistic. */

/*
 * How many pairs are laid out. A case that may stop early (until_ci, looks) has the order of all
 * its pairs drawn at once and is left off inside: what is drawn piece by piece can lock to
 * periodic noise. With until_ci and a budget alone, as many as fit a session, 1000 at most.
 */
int growth_pairs(const struct plan *plan);

/* The largest number of pairs that was declared beforehand. */
int growth_most_pairs(const struct plan *plan);

/*
 * The declared rule, such as "until_ci=0.01 max_pairs=60", "looks=5 pairs=40", "max_pairs=24",
 * "fixed", each with " budget=300s" where there is one. It goes into the ledger of looks and into
 * a session's end.json: whoever changes the rule after a look grows without one. The caller frees.
 */
char *growth_rule(const struct design *design);

#endif

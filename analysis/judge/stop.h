#ifndef ASSAY_JUDGE_STOP_H
#define ASSAY_JUDGE_STOP_H

#include <jansson.h>
#include <stdbool.h>

#include "analysis/judge/observations.h"
#include "schedule/plan.h"

/*
 * The stop rule that a design declares, applied to a case: when it has enough, the level at which
 * it may be reported, and whether it grew otherwise than declared.
 */

/* Does the rule look at that many pairs? Never where a fixed number was declared. */
bool stop_is_look(const struct plan *plan, int pairs);

struct stop_answer {
	bool looked;        /* to be written to the ledger */
	bool enough;
	const char *reason; /* why it is enough; static, "" when it is not */
};

/*
 * Has the case enough pairs? All that the rule allows, or what the rule wanted to know is known:
 * where it has several comparisons or items of the primary metric, of each of them.
 */
void stop_decide(const struct plan *plan, const struct observations *all,
		 struct stop_answer *answer);

/*
 * The level of the primary interval of a case with that many pairs: 0.95 for a fixed number, 0.96
 * with until_ci, what is left to spend at this look with planned looks. With max_pairs alone the
 * looks of the ledger (array of {at, pairs, rule}) were nobody's plan but the extension was
 * declared: they share 5 % by Pocock's spending over max_pairs.
 */
double stop_confidence(const struct plan *plan, const json_t *looks, int pairs);

/*
 * NULL, or why a case of that many pairs is exploratory: it grew after a look otherwise than by
 * the rule that was declared at that look. `sessions` as in docs/formats.md. The caller frees.
 */
char *stop_exploratory(const struct plan *plan, const json_t *looks, const json_t *sessions,
		       int pairs);

#endif

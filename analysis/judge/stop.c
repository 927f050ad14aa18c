#include "analysis/judge/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/case.h"
#include "analysis/judge/comparison.h"
#include "analysis/sequential.h"
#include "analysis/stopping.h"
#include "base/json.h"
#include "base/memory.h"
#include "schedule/growth.h"

#define ALPHA 0.05
#define LEAST_STEP 0.005 /* of the information, what sequential_bounds takes */

/* ---- the declared rule ---- */

static bool
prepare(const struct plan *plan, struct stopping_plan *stopping)
{
	const struct design *design = &plan->design;
	struct stopping_rule rule = {
		.kind = design->stop == STOP_UNTIL_CI ? STOPPING_UNTIL_CI
			: design->stop == STOP_LOOKS  ? STOPPING_LOOKS
						      : STOPPING_FIXED,
		.pairs = (size_t)growth_pairs(plan),
		.half_width = design->until_ci,
		.looks = (size_t)design->looks,
		.alpha = ALPHA,
	};

	return stopping_prepare(&rule, stopping) == STAT_OK;
}

static bool
is_look(const struct plan *plan, const struct stopping_plan *stopping, int pairs)
{
	if (plan->design.stop == STOP_FIXED)
		return false;
	/* Stopping later than the rule would is no harm: `pairs` is then the least. */
	if (plan->design.stop == STOP_UNTIL_CI && pairs < plan->design.pairs &&
	    pairs < growth_pairs(plan))
		return false;
	return stopping_is_look(stopping, (size_t)pairs);
}

bool
stop_is_look(const struct plan *plan, int pairs)
{
	struct stopping_plan stopping;

	return prepare(plan, &stopping) && is_look(plan, &stopping, pairs);
}

/* ---- enough? ---- */

static enum stopping_answer
ask(const struct plan *plan, const struct observations *all, const struct stopping_plan *stopping,
    const struct comparison *which, const char *item, int measured)
{
	struct collapse how = collapse_declared(&plan->design);
	int column = csv_table_column(&all->table, plan->primary);
	struct stopping_look look = {.answer = STOPPING_GO_ON};
	struct pair_set set;
	double *d;

	pair_set_collect(all, (int)which->a, (int)which->b, false, item, column, how, &set);
	d = memory_zeroed(set.count, sizeof *d);
	if (pairs_differences(set.a, set.b, set.orders, set.count, d) != STAT_OK ||
	    stopping_decide(stopping, d, set.orders, set.count, (size_t)measured, &look) != STAT_OK)
		look.answer = measured >= growth_pairs(plan) ? STOPPING_PAIRS : STOPPING_GO_ON;
	free(d);
	pair_set_free(&set);
	return look.answer;
}

void
stop_decide(const struct plan *plan, const struct observations *all, struct stop_answer *answer)
{
	enum stopping_answer said = STOPPING_PAIRS;
	int measured = case_complete_pairs(all);
	struct stopping_plan stopping;
	size_t i, c;

	*answer = (struct stop_answer){.reason = ""};
	if (!prepare(plan, &stopping) || !is_look(plan, &stopping, measured))
		return;
	answer->looked = true;
	answer->enough = all->name_count > 0 || measured >= growth_pairs(plan);
	for (i = 0; i < all->name_count; i++)
		for (c = 0; answer->enough && c < plan->comparison_count; c++) {
			said = ask(plan, all, &stopping, &plan->comparisons[c], all->names[i],
				   measured);
			answer->enough = said != STOPPING_GO_ON;
		}
	if (answer->enough)
		answer->reason = stopping_reason(measured >= growth_pairs(plan) ? STOPPING_PAIRS : said);
}

/* ---- the level ---- */

static int
by_number(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

/* The numbers of pairs at which the case was looked at, ascending, each once, now at last. The
 * caller frees. */
static int *
look_times(const json_t *looks, int pairs, size_t *count)
{
	int *at = memory_zeroed(json_array_size(looks) + 1, sizeof *at);
	const json_t *look;
	size_t i, n = 0;

	json_array_foreach((json_t *)looks, i, look) {
		int seen = (int)json_get_integer(look, "pairs", 0);

		if (seen > 0 && seen < pairs)
			at[n++] = seen;
	}
	qsort(at, n, sizeof *at, by_number);
	at[n++] = pairs;
	for (i = *count = 0; i < n; i++)
		if (i == 0 || at[i] != at[i - 1])
			at[(*count)++] = at[i];
	return at;
}

/* Too many looks or too close for the bounds: each gets its share. */
static double
shared_level(const int *at, size_t count, int most)
{
	double information[STOPPING_MOST_LOOKS];
	struct sequential_look bounds[STOPPING_MOST_LOOKS];
	bool apart = count <= STOPPING_MOST_LOOKS;
	size_t k;

	for (k = 0; apart && k < count; k++) {
		information[k] = (double)at[k] / most;
		apart = information[k] - (k > 0 ? information[k - 1] : 0) >= LEAST_STEP;
	}
	if (apart &&
	    sequential_bounds(SEQUENTIAL_POCOCK, information, count, ALPHA, bounds) == STAT_OK)
		return 1 - bounds[count - 1].nominal_p;
	return 1 - ALPHA / (double)count;
}

double
stop_confidence(const struct plan *plan, const json_t *looks, int pairs)
{
	struct stopping_plan stopping;
	int most = growth_most_pairs(plan), *at;
	double level = 1 - ALPHA;
	size_t count;

	if (plan->design.stop != STOP_FIXED)
		return prepare(plan, &stopping) ? stopping_level(&stopping, (size_t)pairs) : level;
	if (plan->design.max_pairs == 0 || pairs <= 0)
		return level;
	at = look_times(looks, pairs, &count);
	level = shared_level(at, count, most > pairs ? most : pairs);
	free(at);
	return level;
}

/* ---- grown as declared? ---- */

/* A session that somebody asked for by hand after the look (assay measure --again). */
static bool
asked_for_after(const json_t *sessions, const char *at)
{
	const json_t *session;
	size_t i;

	json_array_foreach((json_t *)sessions, i, session)
		if (*json_get_text(session, "why") != '\0' &&
		    strcmp(json_get_text(session, "started"), at) > 0)
			return true;
	return false;
}

static char *
complaint(const struct plan *plan, const json_t *look, const json_t *sessions, const char *rule,
	  int pairs)
{
	const char *then = json_get_text(look, "rule");
	long long seen = json_get_integer(look, "pairs", 0);

	if (strncmp(then, "fixed", 5) == 0 || strcmp(then, "none") == 0)
		return memory_format("pairs were added after a look at %lld pairs without a rule "
				     "declared before it (max_pairs, until_ci or looks)", seen);
	if (strcmp(then, rule) != 0)
		return memory_format("the declared rule was changed after a look at %lld pairs (%s, now "
				     "%s), and pairs were added", seen, then, rule);
	if (pairs > growth_most_pairs(plan))
		return memory_format("%d pairs are more than the declared %d, and it was looked at with "
				     "%lld", pairs, growth_most_pairs(plan), seen);
	if (plan->design.stop != STOP_FIXED && asked_for_after(sessions, json_get_text(look, "at")))
		return memory_format("pairs were added by hand after a look at %lld pairs, whatever the "
				     "declared rule (%s) said", seen, rule);
	return NULL;
}

char *
stop_exploratory(const struct plan *plan, const json_t *looks, const json_t *sessions, int pairs)
{
	char *rule = growth_rule(&plan->design), *reason = NULL;
	const json_t *look;
	size_t i;

	json_array_foreach((json_t *)looks, i, look)
		if (reason == NULL && json_get_integer(look, "pairs", 0) < pairs)
			reason = complaint(plan, look, sessions, rule, pairs);
	free(rule);
	return reason;
}

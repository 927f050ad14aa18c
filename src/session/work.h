#ifndef ASSAY_WORK_H
#define ASSAY_WORK_H

#include "base/error.h"
#include "schedule/schedule.h"
#include "store/store.h"

/*
 * What a session has to do: the blocks of a case's schedule that the store lacks.
 */

/*
 * How many pairs a case wants, seen what the store has: the plan's for a fixed number, more as
 * long as a stop rule goes on. Handed in, so that the session knows no statistic.
 */
struct stop_rule {
	int (*pairs_wanted)(void *context, const struct plan *plan, const struct store_case *store);
	void *context;
};
/* A fixed number: plan->design.pairs. */
extern const struct stop_rule stop_rule_fixed;

struct work_wish {
	bool retry;                   /* failed blocks too, and go on with a case that ended early */
	bool again;                   /* as many pairs once more, whatever the store has */
	const struct stop_rule *rule;
};

struct work {
	struct store_case store;
	struct chunk *chunks;
	size_t chunk_count;
	struct schedule schedule;
	const struct block **blocks;  /* to be taken, in schedule order; point into `schedule` */
	size_t count;
	size_t complete, failed;      /* of the schedule's blocks, in the store */
	bool ended_early;
	size_t other_regime;          /* whole blocks taken again because the regime changed */
};

/* Loads the store. *work is always work_free-able. */
int work_find(const struct plan *plan, const char *identity_hex, const struct work_wish *wish,
	      struct work *work, struct error *error);
/* Chooses the blocks again, now that the session knows its regime: what is measured now must not
 * be mixed with blocks of another one, so those are taken again. */
void work_settle(struct work *work, const struct work_wish *wish, const char *regime);
void work_free(struct work *work);

#endif

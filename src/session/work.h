#ifndef ASSAY_WORK_H
#define ASSAY_WORK_H

#include "base/error.h"
#include "schedule/schedule.h"
#include "store/store.h"

/*
 * What a session has to do: the blocks of a case's schedule that the store lacks.
 */

/*
 * When a growing case has enough. Handed in, so that the session knows no statistic: asked after
 * each pair of the comparison, with the number of pairs that are there. 1: enough, and *why says
 * why in a few words (the caller frees); 0: go on; -1 with *error.
 */
struct stop_rule {
	int (*has_enough)(void *context, const struct plan *plan, int pairs, char **why,
			  struct error *error);
	void *context;
};

struct work_wish {
	bool retry;                   /* failed blocks too, and go on with a case that ended early */
	bool again;                   /* as many pairs once more, whatever the store has */
};

struct work {
	struct store_case store;
	struct chunk *chunks;
	size_t chunk_count;
	struct schedule schedule;
	const struct block **blocks;  /* to be taken, in schedule order; point into `schedule` */
	size_t count;
	size_t complete, failed;      /* of the schedule's blocks, in the store */
	int pairs;                    /* whole pairs that are there and not taken again */
	bool ended_early;             /* after too many failures */
	bool left_off;                /* by the stop rule or the budget */
	size_t other_regime;          /* whole blocks taken again because the regime changed */
};

/* Loads the store. *work is always work_free-able. */
int work_find(const struct plan *plan, const char *identity_hex, const struct work_wish *wish,
	      struct work *work, struct error *error);
/* Chooses the blocks again, now that the session knows its regime: what is measured now must not
 * be mixed with blocks of another one, so those are taken again. */
void work_settle(struct work *work, const struct plan *plan, const struct work_wish *wish,
		 const char *regime);
void work_free(struct work *work);

#endif

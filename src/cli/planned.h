#ifndef ASSAY_PLANNED_H
#define ASSAY_PLANNED_H

#include "base/error.h"
#include "cli/stored_times.h"
#include "schedule/schedule.h"
#include "store/store.h"

/* A case as it will be launched, with what the store has of it. */

/* One line of the plan. */
struct planned_group {
	int order; /* in its session, from 1 */
	int chunk; /* from 1 */
	int block, pair, slot; /* block 0: a warm-up */
	enum phase phase;
	int treatment;
	bool left; /* still to be measured */
};

struct planned {
	struct plan plan;
	struct store_case store;   /* of the present identity; empty when there is none */
	struct store_case earlier; /* the newest results, whatever their identity */
	struct schedule schedule;
	struct chunk *chunks;
	size_t chunk_count;
	struct planned_group *groups;
	size_t count, capacity;
	int left;
	struct stored_times times;
};

/* *planned starts as all zeros and is always planned_free-able. */
int planned_load(const char *case_id, struct planned *planned, struct error *error);
void planned_free(struct planned *planned);

/* How long its groups take, or those still to be measured; NaN when a treatment was never measured. */
double planned_expected_s(const struct planned *planned, bool left_only);

#endif

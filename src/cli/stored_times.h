#ifndef ASSAY_STORED_TIMES_H
#define ASSAY_STORED_TIMES_H

#include "schedule/plan.h"
#include "store/store.h"

/*
 * What earlier results of a case tell about the measuring still to come: for `assay plan`, never
 * for a verdict.
 */
struct stored_times {
	double *group_s;  /* median whole time of a group, by treatment and A'; NaN: never measured */
	size_t count;     /* treatments, and one for A' */
	double pair_sd;   /* of log(time a / time b) over the pairs, the largest of the comparisons;
	                     from build/stats; NaN: unknown */
};

void stored_times_load(const struct plan *plan, const struct store_case *store,
		       struct stored_times *times);
void stored_times_free(struct stored_times *times);

#endif

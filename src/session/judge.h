#ifndef ASSAY_JUDGE_H
#define ASSAY_JUDGE_H

#include "schedule/plan.h"
#include "store/record.h"

/*
 * Whether a group counts: sets record->status and ->reason from its result and its output, and
 * from what the plan expects of its treatment. Pure. "failed": it did not run well; "invalid":
 * it did, but its output can't be used. An ok group may have a remark as its reason.
 */
void judge_group(const struct plan *plan, struct record *record);

#endif

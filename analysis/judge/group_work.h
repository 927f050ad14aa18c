#ifndef ASSAY_GROUP_WORK_H
#define ASSAY_GROUP_WORK_H

#include <jansson.h>

#include "analysis/judge/observations.h"
#include "schedule/plan.h"

/*
 * The flops check of one treatment: is the work that it tells the work that was asked for? CFG is
 * held against what the plan asks, and each sample's operations a second times its wall time
 * against the work of CFG: operations an element and pass must be the same in all samples, and
 * what the plan declares, if it does, within WORK_TOLERANCE.
 */
#define WORK_TOLERANCE 1e-4

/*
 * `rows` of the table are the treatment's samples. A new object {check: "PASS" | "FAIL" | "not
 * told" (no flops or no CFG line), reason, len, iters (as CFG says; null: none, or not everywhere
 * the same), per_element, lowered: true where it may do less than asked for and does}.
 */
json_t *group_work(const struct plan_treatment *treatment, const struct observations *all,
		   const size_t *rows, size_t count);

#endif

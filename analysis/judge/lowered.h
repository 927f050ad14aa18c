#ifndef ASSAY_LOWERED_H
#define ASSAY_LOWERED_H

#include <jansson.h>

#include "analysis/judge/observations.h"
#include "schedule/plan.h"

/*
 * Treatments that did less work in a sample than was asked for, as they may (lowers_scale) and
 * their CFG lines tell. What their samples take compares with others only divided by the work.
 */

/* A new array of {treatment, name, reason: "CFG says 1024 x 8, asked for was 1024 x 4096"}. */
json_t *lowered_document(const struct plan *plan, const struct observations *all);

/* Why the two cannot be compared in the metric, for people; the caller frees. NULL: they can, since
 * both did the same work, or the metric is no time, or one divided by the work. */
char *lowered_apart(const struct plan *plan, const struct observations *all,
		    const struct comparison *which, const char *metric);

#endif

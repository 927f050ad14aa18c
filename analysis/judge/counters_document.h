#ifndef ASSAY_ANALYSIS_COUNTERS_DOCUMENT_H
#define ASSAY_ANALYSIS_COUNTERS_DOCUMENT_H

#include <jansson.h>

#include "base/error.h"
#include "schedule/plan.h"

/*
 * What the counters of a case came to, from counters.csv: an array, layout "counters" in
 * docs/formats.md. Of each group its counted samples are scaled up and made ratios of; what is told of
 * a treatment is the median over its groups and their range. NULL with *error.
 */
json_t *counters_document(const char *path, const struct plan *plan, struct error *error);

/* Adds to `warnings` where the scaling rests on less than half of the time. */
void counters_warnings(const json_t *counters, json_t *warnings);

#endif

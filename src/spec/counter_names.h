#ifndef ASSAY_COUNTER_NAMES_H
#define ASSAY_COUNTER_NAMES_H

#include "spec/fields.h"
#include "spec/study.h"

/* counters = { "cycles", … } of an experiment: left alone when it is missing. */
void counter_names_read(const struct fields *experiment, struct experiment *out);
/* The events that the harness knows (kernels/harness/events.c); ends with NULL. */
extern const char *const counter_names[];

/* What the analysis makes of them (analysis/counters.c); ends with NULL. */
extern const char *const counter_ratio_names[];

#endif

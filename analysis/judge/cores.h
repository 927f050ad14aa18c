#ifndef ASSAY_CORES_H
#define ASSAY_CORES_H

#include <jansson.h>

#include "analysis/judge/case.h"

/*
 * A warning ("more_threads_than_cores") for a treatment whose threads had to share cores: it asks
 * for more cores, or has a dimension "threads" (blocked or of the case) with a larger value, than
 * the CPUs that its groups had.
 */
void cores_warn(const struct case_input *input, json_t *warnings);

#endif

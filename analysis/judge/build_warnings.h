#ifndef ASSAY_ANALYSIS_BUILD_WARNINGS_H
#define ASSAY_ANALYSIS_BUILD_WARNINGS_H

#include <jansson.h>

#include "analysis/judge/observations.h"

/*
 * Warnings where what was timed is not what is meant: a debug, sanitizer or profiling build among the
 * treatments ("debug_build", "instrumented_build"), a profiler on the machine or at the session
 * ("profiler"), a group that was traced ("traced"). `sessions` as in docs/formats.md.
 */
void build_warnings(const json_t *sessions, const struct observations *observations, size_t treatments,
		    json_t *warnings);

#endif

#ifndef ASSAY_ANALYSIS_WATCHED_H
#define ASSAY_ANALYSIS_WATCHED_H

#include "analysis/judge/case.h"

/*
 * Who looked while it was timed:
 *
 * "profiler"	a profiler, tracer or debugger ran on the machine when a session began, or traced it: how many
 * "traced"	groups of which the harness says that another process traced them
 */
void watched_warn(const struct case_input *input, json_t *warnings);

#endif

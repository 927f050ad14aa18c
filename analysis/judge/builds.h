#ifndef ASSAY_BUILDS_H
#define ASSAY_BUILDS_H

#include "analysis/judge/case.h"

/*
 * What of the programs' builds is in their times (case_input.builds):
 *
 * "instrumented_build"	a sanitizer, gprof or coverage: the number is how many treatments
 * "unoptimised_build"	compiled at -O0, wholly or in part: the same
 * "started_by_profiler"	the program of a treatment is a tracer or a profiler that starts another
 * "volatile_loop"		a source reads or writes through volatile in a loop: in how many places
 */
void builds_warn(const struct case_input *input, json_t *warnings);

#endif

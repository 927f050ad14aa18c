#ifndef ASSAY_COMPARE_SPEC_H
#define ASSAY_COMPARE_SPEC_H

#include "base/buffer.h"
#include "compare/options.h"

/*
 * The comparison as a spec, so that all of it goes the way of any study, and --keep leaves one.
 * Paths of programs and folders are absolute. Appends. Pure.
 */

#define COMPARE_EXPERIMENT "compare"
/* The program of the revision with that number, from 1. */
#define COMPARE_REVISION "revision%zu"

/* build.ninja.lua */
void compare_spec_study(struct buffer *out);
/* experiments/compare.lua; `check_outputs`: the variants must print the same bytes. */
void compare_spec_experiment(const struct compare_options *options, bool check_outputs,
			     struct buffer *out);

#endif

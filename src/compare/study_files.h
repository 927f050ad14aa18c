#ifndef ASSAY_COMPARE_STUDY_FILES_H
#define ASSAY_COMPARE_STUDY_FILES_H

#include <stdbool.h>

#include "base/error.h"
#include "compare/options.h"

/*
 * Writes the comparison's study into the current folder: build.ninja.lua, experiments/compare.lua,
 * and what `assay generate` makes of them but for the graph, which nobody needs here: the plans,
 * build/study.json, build/check/compare.json. So a kept study goes on as any other. May be called
 * again with other `check_outputs`: the identities stay.
 */
int study_files_write(const struct compare_options *options, bool check_outputs,
		      struct error *error);

#endif

#ifndef ASSAY_ANALYSIS_STUDY_H
#define ASSAY_ANALYSIS_STUDY_H

#include <jansson.h>
#include <stdio.h>

#include "base/error.h"

/*
 * What can only be said of a study as a whole: the label-bias control pooled over an
 * experiment's cases, claims with Holm's correction, the list of what does not hold.
 * Reads <stats_folder>/<case_id>.json for each case of study.json. A new object, layout
 * "stats.json" in docs/formats.md; NULL with *error.
 */
json_t *study_document(const json_t *study, const char *stats_folder, struct error *error);

/* A line a comparison, for a terminal. */
void study_print_case(const json_t *case_document, FILE *out);

#endif

#ifndef ASSAY_REPORT_RESULTS_H
#define ASSAY_REPORT_RESULTS_H

#include <jansson.h>

/*
 * The results document that an experiment's prose sees (docs/formats.md, "prose results"),
 * from study.json and stats.json. A new object. Nothing is computed, only renamed; the numbers
 * of an invalid case are null.
 */
json_t *results_document(const json_t *study, const json_t *experiment, const json_t *stats,
			 const json_t *diagnoses);

#endif

#ifndef ASSAY_TREATMENT_H
#define ASSAY_TREATMENT_H

#include <jansson.h>

#include "analysis/judge/case.h"

/*
 * One treatment of a case, one metric (a column of samples.csv) and item: its groups' values in
 * the order of their launches, their summary and their trend. A new object, layout "treatments"
 * in docs/formats.md.
 */
json_t *treatment_document(const struct case_input *input, const struct case_options *options,
			   size_t index, const char *item, int column);

#endif

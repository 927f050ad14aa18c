#ifndef ASSAY_WARNINGS_H
#define ASSAY_WARNINGS_H

#include <jansson.h>

#include "analysis/judge/case.h"

/*
 * Diagnostics of a case's primary metric: warnings with the number behind each and what to do,
 * never filters. `document` is the case's document so far. A new array of
 * {code, text, value, advice, severity}; severity 0 to 1, 1 the worst.
 */
json_t *case_warnings(const struct case_input *input, const struct case_options *options,
		      const json_t *document);

#endif

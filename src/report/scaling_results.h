#ifndef ASSAY_SCALING_RESULTS_H
#define ASSAY_SCALING_RESULTS_H

#include <jansson.h>

/* The "scaling" of a case document as texts see it (docs/formats.md, "Prose results"): the series by
 * name, their points as p1, p2, …; null where the case has none. A new object. */
json_t *scaling_results(const json_t *scaling);

#endif

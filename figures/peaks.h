#ifndef ASSAY_FIGURE_PEAKS_H
#define ASSAY_FIGURE_PEAKS_H

#include "figures/figure.h"

/*
 * Measured peaks: the rate of a variant that does nothing but reach one. The option `peak` names
 * them, "VARIANT" of the experiment itself or "EXPERIMENT/VARIANT", one text or a list.
 */
#define PEAKS_MOST 4

/*
 * A form of an experiment has a study of its own, and the peaks that its figures name may be in the
 * whole one: {"experiments": those of build/study.json that are named, "cases": {C: build/stats/C.json}},
 * without what is not there. A new object, for figure_input.elsewhere.
 */
json_t *peaks_read_elsewhere(const json_t *study, const json_t *figure);

size_t peaks_count(const struct figure_input *input);
/* Of PEAKS_MOST at most; "" behind the last. Borrowed. */
const char *peaks_name(const struct figure_input *input, size_t peak);
/* Its work over time at the point of this case, or where it was highest when no case is there or
 * `case_document` is NULL. NaN when it was not measured. */
double peaks_rate(const struct figure_input *input, size_t peak, const json_t *case_document);

#endif

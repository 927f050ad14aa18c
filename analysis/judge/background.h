#ifndef ASSAY_BACKGROUND_H
#define ASSAY_BACKGROUND_H

#include <jansson.h>

#include "analysis/judge/case.h"

/*
 * Processes that a program leaves behind. What they do is in nobody's time: a program that forks
 * its work away would seem fast. So it is told, and where the metric is the process's own time, a
 * verdict that rests on such runs is withdrawn.
 */

/* The share of a treatment's groups of the comparison that left a process behind; NaN without one. */
double background_share(const struct observations *all, size_t treatment);

/* `document` is the case's, with its metrics. */
void background_judge(const struct case_input *input, json_t *document);

#endif

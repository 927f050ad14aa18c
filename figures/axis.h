#ifndef ASSAY_FIGURE_AXIS_H
#define ASSAY_FIGURE_AXIS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/buffer.h"

/*
 * The horizontal axis of a figure over a sweep: the first numeric dimension with several
 * values, or the cases one beside the other. The values of the other dimensions name a series.
 */
#define AXIS_LOG_RANGE 30 /* of an axis: beyond it the small values would be one point */

struct axis {
	const char *dimension; /* borrowed from the experiment; NULL: one place a case */
	bool logarithmic;      /* all values > 0 and the range passes 30 */
};

void axis_choose(const json_t *experiment, struct axis *axis);
/* The place of a case: the dimension's value, or `index`. */
double axis_place(const struct axis *axis, const json_t *case_document, size_t index);
/* "threads=2" for what the axis does not say; "" when it says all. Appends. */
void axis_series(const struct axis *axis, const json_t *case_document, struct buffer *out);
/* The gnuplot settings xlabel, xlog, and xticks (names) where there is no dimension. */
void axis_put(const struct axis *axis, const json_t *cases, struct buffer *settings);

#endif

#ifndef ASSAY_COMPARE_PICTURE_H
#define ASSAY_COMPARE_PICTURE_H

#include <stdbool.h>

#include "base/buffer.h"
#include "compare/screen.h"

/*
 * A small picture of ratios B / A for a terminal, a line a comparison on one axis of log ratios:
 *
 *	new   ..........:::|:::....(---o---)....   +10 %
 *
 * the interval with its middle, the line of no difference, the noise floor shaded around it.
 */
struct picture_line {
	const char *name;
	double value, lo, hi;    /* ratios; a line without an interval is left out */
	double floor_log;        /* of log ratios; NaN: unknown */
};

/* False when nothing was drawn: no interval, or no room. */
bool picture_put(const struct picture_line *lines, size_t count, const struct screen *screen,
		 struct buffer *out);

#endif

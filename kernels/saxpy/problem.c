/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "saxpy/problem.h"

static uint64_t length = 1 << 20;

const struct assay_option saxpy_options[] = {
	{"n", &length, 1, UINT64_C(1) << 31, "elements of x and y"},
	{NULL, NULL, 0, 0, NULL},
};

static float
x_of(size_t i)
{
	return (float)(i * 2654435761u >> 20 & 0xfff);
}

static float
y_of(size_t i)
{
	return (float)(i * 40503u >> 4 & 0xfff);
}

int
saxpy_make(struct saxpy *saxpy, struct assay_error *error)
{
	saxpy->n = length;
	saxpy->passes = 0;
	saxpy->x = assay_alloc(length, sizeof *saxpy->x, error);
	saxpy->y = saxpy->x ? assay_alloc(length, sizeof *saxpy->y, error) : NULL;
	if (!saxpy->y)
		return -1;
	for (size_t i = 0; i < length; i++) {
		saxpy->x[i] = x_of(i);
		saxpy->y[i] = y_of(i);
	}
	return 0;
}

void
saxpy_free(struct saxpy *saxpy)
{
	free(saxpy->x);
	free(saxpy->y);
}

float
saxpy_next_factor(struct saxpy *saxpy)
{
	return saxpy->passes++ % 2 == 0 ? SAXPY_FACTOR : -SAXPY_FACTOR;
}

int
saxpy_check(const struct saxpy *saxpy, struct assay_error *error)
{
	for (size_t i = 0; i < saxpy->n; i++) {
		float expected = y_of(i) + (saxpy->passes % 2 == 0 ? 0 : SAXPY_FACTOR * x_of(i));

		if (saxpy->y[i] != expected)
			return assay_fail(error, "element %zu of %zu is %.9g and must be %.9g", i, saxpy->n,
					  (double)saxpy->y[i], (double)expected);
	}
	return 0;
}

void
saxpy_work(const struct saxpy *saxpy, struct assay_work *work)
{
	work->len = saxpy->n;
	work->flops = 2.0 * (double)saxpy->n;
	work->bytes = 3.0 * sizeof *saxpy->y * (double)saxpy->n;
	work->output = saxpy->y;
	work->output_bytes = saxpy->n * sizeof *saxpy->y;
}

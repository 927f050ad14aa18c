/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SAXPY_PROBLEM_H
#define SAXPY_PROBLEM_H

/*
 * y = a*x + y over floats, in place, for a processor or a device. Passes alternate between a = 2.5 and a = -2.5:
 * the second takes back what the first added, so y stays small however many there are. All values are whole
 * multiples of 1/2 below 2^16, exact in a float: fused or not, in any width, by any processor, all
 * bits are equal.
 */

#include <stddef.h>
#include <stdint.h>

#include "harness/assay_harness.h"

#define SAXPY_FACTOR 2.5f

struct saxpy {
	size_t n;
	float *x, *y; /* y: of the host; a device has its own */
	uint64_t passes; /* done so far: decides the sign of the next */
};

/* The kernels' option --n=. */
extern const struct assay_option saxpy_options[];

/* Allocates and fills; -1 with the error filled, then fit for saxpy_free. */
int saxpy_make(struct saxpy *saxpy, struct assay_error *error);
void saxpy_free(struct saxpy *saxpy);

/* The a of the next pass, which is counted. */
float saxpy_next_factor(struct saxpy *saxpy);

/* Holds y against what so many passes come to, element by element. */
int saxpy_check(const struct saxpy *saxpy, struct assay_error *error);

/* Two operations and 12 bytes an element: x and y are read, y is written. */
void saxpy_work(const struct saxpy *saxpy, struct assay_work *work);

#endif

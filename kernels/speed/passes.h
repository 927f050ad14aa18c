/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SPEED_PASSES_H
#define ASSAY_SPEED_PASSES_H

#include <stddef.h>

/*
 * The hand-written passes, a table for each width of a vector register. All of a table do one
 * IEEE instruction an element, the same in vector and in scalar form, so outputs are equal bit
 * for bit. Element i of out depends on element i of the inputs alone; nothing overlaps.
 */
typedef void speed_pass(const double *a, const double *b, const double *c, double *out, size_t n);

struct speed_passes {
	unsigned width; /* bits of a vector */
	speed_pass *simd[4], *scalar[4]; /* by enum speed_operation */
};

/*
 * The passes of this width in bits, or of the widest that this CPU has with 0. NULL when this
 * machine has not got them: its widths are in *supported, such as "256, 512", or "none".
 */
const struct speed_passes *speed_passes_find(unsigned width, const char **supported);

#endif

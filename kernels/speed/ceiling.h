/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_SPEED_CEILING_H
#define ASSAY_SPEED_CEILING_H

#include <stddef.h>

/*
 * What limits the operations of speed/passes.h: the loads and stores that each needs, without the
 * arithmetic, and the arithmetic on registers, without loads and stores. A table for each width.
 */

/* As many loads and stores as the operation has, out = a: of a, b and c (fma), a and b (add,
 * mul), or a (sqrt). Nothing overlaps. */
typedef void ceiling_moves(const double *a, const double *b, const double *c, double *out, size_t n);

/*
 * n results of the operation in registers. Element i < `chained` of out is a[i] after the step
 * x * CEILING_FACTOR + CEILING_ADDEND, x + CEILING_ADDEND or x * CEILING_FACTOR, n / chained
 * times; of sqrt element i < `roots` is the root of a[i % lanes]. n is a multiple of them.
 */
typedef void ceiling_arithmetic(const double *a, double *out, size_t n);

#define CEILING_ADDEND 0x1p-20
#define CEILING_FACTOR (1 + CEILING_ADDEND) /* so near 1 that nothing overflows */

/* How the moves go about it: 4, 8 or 16 vectors in a turn of the loop, each stored when it is
 * loaded, or 8 with all loads first. Which is the fastest depends on the processor. */
enum { CEILING_FORMS = 4 };

struct ceiling {
	unsigned width;                      /* bits of a vector */
	size_t chained, roots;               /* elements that the arithmetic works on */
	ceiling_moves *moves[3][CEILING_FORMS]; /* by loads - 1 */
	ceiling_arithmetic *arithmetic[4];   /* by enum speed_operation */
};

/* Of this width in bits, or of the widest here with 0; as speed_passes_find. */
const struct ceiling *ceiling_find(unsigned width, const char **supported);

#endif

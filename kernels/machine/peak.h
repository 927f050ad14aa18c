/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_MACHINE_PEAK_H
#define ASSAY_MACHINE_PEAK_H

/* What one core can compute: fused multiply-adds that wait for no other, and its clock. */
#include <stddef.h>

#define PEAK_FACTOR (1 + 0x1p-20) /* so near 1 that nothing overflows */
#define PEAK_ADDEND 0x1p-20

/*
 * Turns of x = x * PEAK_FACTOR + PEAK_ADDEND on `elements` numbers in registers, each a chain of
 * its own: so many chains that the pipes never wait. x holds them before and after.
 */
typedef void peak_pass(double *x, size_t turns);

struct peak {
	unsigned width;  /* bits of a vector */
	size_t elements; /* at most PEAK_ELEMENTS */
	peak_pass *fma;
};

enum { PEAK_ELEMENTS = 256 };

/* Of this width in bits, or of the widest here with 0; as speed_passes_find (speed/passes.h). */
const struct peak *peak_find(unsigned width, const char **supported);

/* n additions of whole numbers, each of which needs the one before: a cycle each on any processor
 * of today. x + n * step; n is a multiple of PEAK_LINKS. */
enum { PEAK_LINKS = 32 };
unsigned long peak_cycles(unsigned long x, unsigned long step, size_t n);

#endif

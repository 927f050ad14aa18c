/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_MACHINE_STREAM_H
#define ASSAY_MACHINE_STREAM_H

/*
 * The four operations of the STREAM benchmark's rules (McCalpin 1995), in vector instructions:
 *
 *	copy	c = a			16 bytes an element
 *	scale	b = s*c			16
 *	add	c = a + b		24
 *	triad	a = b + s*c		24
 *
 * Bytes as the rules count them: what the source reads and writes. An ordinary store first reads
 * the line that it writes to, so hardware moves half or a third more; a non-temporal store
 * doesn't.
 */
#include <stddef.h>

enum stream_operation { STREAM_COPY, STREAM_SCALE, STREAM_ADD, STREAM_TRIAD, STREAM_OPERATIONS };

#define STREAM_FACTOR 3.0

/* out = x, s*x, x + y or x + s*y over n elements; all start at a cache line. */
typedef void stream_pass(const double *x, const double *y, double *out, size_t n);

struct stream {
	unsigned width;                                /* bits of a vector */
	stream_pass *pass[STREAM_OPERATIONS][2];       /* with ordinary, with non-temporal stores */
};

/* Of this width in bits, or of the widest here with 0; as speed_passes_find (speed/passes.h). */
const struct stream *stream_find(unsigned width, const char **supported);

#endif

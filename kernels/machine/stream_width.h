/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The passes of machine/stream.h in one width, whose names are in speed/each_width.h. */

#define AT(k) (i + (k) * LANES)
#define EACH(DO, PUT) DO(0, PUT) DO(1, PUT) DO(2, PUT) DO(3, PUT)

#define PASS(WORD, PUT, RESULT, ONE)                                                                       \
	TARGET static void NAME(WORD##_##PUT)(const double *x, const double *y, double *out, size_t n)     \
	{                                                                                                  \
		const VECTOR s = ALL(STREAM_FACTOR);                                                       \
		size_t i = 0;                                                                              \
		(void)s;                                                                                   \
		(void)y;                                                                                   \
		for (; i + 4 * LANES <= n; i += 4 * LANES) {                                               \
			EACH(RESULT, PUT)                                                                  \
		}                                                                                          \
		for (; i < n; i++)                                                                         \
			out[i] = ONE;                                                                      \
		STREAM_FENCE();                                                                            \
	}

#define COPY(k, PUT) PUT(out + AT(k), LOAD(x + AT(k)));
#define SCALE(k, PUT) PUT(out + AT(k), MUL(s, LOAD(x + AT(k))));
#define SUM(k, PUT) PUT(out + AT(k), ADD(LOAD(x + AT(k)), LOAD(y + AT(k))));
#define TRIAD(k, PUT) PUT(out + AT(k), FMA(s, LOAD(y + AT(k)), LOAD(x + AT(k))));

#define BOTH(WORD, RESULT, ONE) PASS(WORD, STORE, RESULT, ONE) PASS(WORD, STREAM, RESULT, ONE)
BOTH(copy, COPY, x[i])
BOTH(scale, SCALE, STREAM_FACTOR * x[i])
BOTH(add, SUM, x[i] + y[i])
BOTH(triad, TRIAD, x[i] + STREAM_FACTOR * y[i])

#define TWO(WORD) {NAME(WORD##_STORE), NAME(WORD##_STREAM)}
static const struct stream NAME(stream) = {
	8 * sizeof(VECTOR), {TWO(copy), TWO(scale), TWO(add), TWO(triad)},
};

#undef AT
#undef EACH
#undef PASS
#undef COPY
#undef SCALE
#undef SUM
#undef TRIAD
#undef BOTH
#undef TWO

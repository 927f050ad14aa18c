/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The vector passes of one width, whose names are in each_width.h; ONE_FMA, ONE_ADD, ONE_MUL,
 * ONE_SQRT are the same on one element, for what is left over.
 *
 * The fused pass loads eight vectors before it computes the first, so that as many are in flight.
 * The others, which load less, leave that to the processor: all loads first measured 10 to 20 %
 * slower for them where the data are in the first cache.
 */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define AT(k) (i + (k) * LANES)

/* LOADS and RESULT are macros of k; REST computes element i alone. */
#define PASS(OPERATION, LOADS, RESULT, ONE_VECTOR, REST)                                              \
	TARGET static void NAME(simd_##OPERATION)(const double *a, const double *b, const double *c,    \
						  double *out, size_t n)                                \
	{                                                                                               \
		size_t i = 0;                                                                           \
		(void)b;                                                                                \
		(void)c;                                                                                \
		for (; i + 8 * LANES <= n; i += 8 * LANES) {                                            \
			EACH(LOADS)                                                                     \
			EACH(RESULT)                                                                    \
		}                                                                                       \
		for (; i + LANES <= n; i += LANES)                                                      \
			STORE(out + i, ONE_VECTOR);                                                     \
		for (; i < n; i++)                                                                      \
			REST(a + i, b + i, c + i, out + i);                                             \
	}

#define LOADS_0(k)
#define LOADS_2(k) const VECTOR x##k = LOAD(a + AT(k)), y##k = LOAD(b + AT(k));
#define RESULT_FMA(k) STORE(out + AT(k), FMA(x##k, y##k, LOAD(c + AT(k))));
#define RESULT_ADD(k) STORE(out + AT(k), ADD(LOAD(a + AT(k)), LOAD(b + AT(k))));
#define RESULT_MUL(k) STORE(out + AT(k), MUL(LOAD(a + AT(k)), LOAD(b + AT(k))));
#define RESULT_SQRT(k) STORE(out + AT(k), SQRT(LOAD(a + AT(k))));

PASS(fma, LOADS_2, RESULT_FMA, FMA(LOAD(a + i), LOAD(b + i), LOAD(c + i)), ONE_FMA)
PASS(add, LOADS_0, RESULT_ADD, ADD(LOAD(a + i), LOAD(b + i)), ONE_ADD)
PASS(mul, LOADS_0, RESULT_MUL, MUL(LOAD(a + i), LOAD(b + i)), ONE_MUL)
PASS(sqrt, LOADS_0, RESULT_SQRT, SQRT(LOAD(a + i)), ONE_SQRT)

#undef PASS
#undef AT
#undef EACH
#undef LOADS_0
#undef LOADS_2
#undef RESULT_FMA
#undef RESULT_ADD
#undef RESULT_MUL
#undef RESULT_SQRT

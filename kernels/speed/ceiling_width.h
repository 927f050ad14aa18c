/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ceilings of one width, whose names are in each_width.h. */

#define AT(k) (i + (k) * LANES)
#define KEEP(value) __asm__ volatile("" : : IN_REGISTER(value))

/* ---- moves: 4, 8 or 16 vectors a turn, each stored when it is loaded; or 8, all loaded first ---- */

#define MOVE_1(k) STORE(out + AT(k), LOAD(a + AT(k)));
#define MOVE_2(k) KEEP(LOAD(b + AT(k))); MOVE_1(k)
#define MOVE_3(k) KEEP(LOAD(c + AT(k))); MOVE_2(k)

#define TURN_4(DO, k) DO(k) DO(k + 1) DO(k + 2) DO(k + 3)
#define TURN_8(DO, k) TURN_4(DO, k) TURN_4(DO, k + 4)
#define TURN_16(DO, k) TURN_8(DO, k) TURN_8(DO, k + 8)

#define MOVES(WORD, LOADS, VECTORS, BODY)                                                             \
	TARGET static void NAME(moves_##WORD##_##LOADS)(const double *a, const double *b, const double *c, \
							double *out, size_t n)                           \
	{                                                                                                 \
		size_t i = 0;                                                                             \
		(void)b;                                                                                  \
		(void)c;                                                                                  \
		for (; i + VECTORS * LANES <= n; i += VECTORS * LANES) {                                  \
			BODY                                                                              \
		}                                                                                         \
		for (; i < n; i++)                                                                        \
			out[i] = a[i];                                                                    \
	}

#define FEW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define FIRST_1(k) const VECTOR x##k = LOAD(a + AT(k));
#define FIRST_2(k) FIRST_1(k) KEEP(LOAD(b + AT(k)));
#define FIRST_3(k) FIRST_2(k) KEEP(LOAD(c + AT(k)));
#define THEN(k) STORE(out + AT(k), x##k);

#define ALL_MOVES(LOADS)                                     \
	MOVES(short, LOADS, 4, TURN_4(MOVE_##LOADS, 0))       \
	MOVES(middle, LOADS, 8, TURN_8(MOVE_##LOADS, 0))      \
	MOVES(long, LOADS, 16, TURN_16(MOVE_##LOADS, 0))      \
	MOVES(first, LOADS, 8, FEW(FIRST_##LOADS) FEW(THEN))
ALL_MOVES(1)
ALL_MOVES(2)
ALL_MOVES(3)
#define TABLE_OF(LOADS) \
	{NAME(moves_short_##LOADS), NAME(moves_middle_##LOADS), NAME(moves_long_##LOADS), NAME(moves_first_##LOADS)}

/* ---- arithmetic: half of the registers hold results, each with a chain of its own ---- */

#if REGISTERS == 32
#define CHAINS 16
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) \
	DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#else
#define CHAINS 8
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#endif

#define BEGIN(k) VECTOR x##k = LOAD(a + (k) * LANES);
#define STEP_FMA(k) x##k = FMA(x##k, factor, step);
#define STEP_ADD(k) x##k = ADD(x##k, step);
#define STEP_MUL(k) x##k = MUL(x##k, factor);
#define END(k) STORE(out + (k) * LANES, x##k);

#define ARITHMETIC(OPERATION, STEP)                                                                   \
	TARGET static void NAME(arithmetic_##OPERATION)(const double *a, double *out, size_t n)         \
	{                                                                                               \
		const VECTOR factor = ALL(CEILING_FACTOR), step = ALL(CEILING_ADDEND);                  \
		EACH(BEGIN)                                                                             \
		KEEP(factor);                                                                           \
		KEEP(step);                                                                             \
		for (; n >= CHAINS * LANES; n -= CHAINS * LANES) {                                      \
			EACH(STEP)                                                                      \
		}                                                                                       \
		EACH(END)                                                                               \
	}
ARITHMETIC(fma, STEP_FMA)
ARITHMETIC(add, STEP_ADD)
ARITHMETIC(mul, STEP_MUL)

/* A root of a root soon is 1, which some processors are faster with: the same roots anew each
 * turn instead, from a source that the compiler does not know to be the same. */
#define STEP_SQRT(k)                              \
	__asm__ volatile("" : "+" IN_REGISTER(x)); \
	r##k = SQRT(x);
#define RESULT(k) VECTOR r##k = x;
#define END_SQRT(k) STORE(out + (k) * LANES, r##k);

TARGET static void
NAME(arithmetic_sqrt)(const double *a, double *out, size_t n)
{
	VECTOR x = LOAD(a);
	FEW(RESULT)

	for (; n >= 8 * LANES; n -= 8 * LANES) {
		FEW(STEP_SQRT)
		__asm__ volatile("" : : IN_REGISTER(r0), IN_REGISTER(r1), IN_REGISTER(r2), IN_REGISTER(r3),
				 IN_REGISTER(r4), IN_REGISTER(r5), IN_REGISTER(r6), IN_REGISTER(r7));
	}
	FEW(END_SQRT)
}

static const struct ceiling NAME(ceiling) = {
	8 * sizeof(VECTOR), CHAINS * LANES, 8 * LANES,
	{TABLE_OF(1), TABLE_OF(2), TABLE_OF(3)},
	{NAME(arithmetic_fma), NAME(arithmetic_add), NAME(arithmetic_mul), NAME(arithmetic_sqrt)},
};

#undef AT
#undef KEEP
#undef MOVE_1
#undef MOVE_2
#undef MOVE_3
#undef TURN_4
#undef TURN_8
#undef TURN_16
#undef MOVES
#undef ALL_MOVES
#undef TABLE_OF
#undef FIRST_1
#undef FIRST_2
#undef FIRST_3
#undef THEN
#undef CHAINS
#undef EACH
#undef BEGIN
#undef STEP_FMA
#undef STEP_ADD
#undef STEP_MUL
#undef END
#undef ARITHMETIC
#undef STEP_SQRT
#undef RESULT
#undef END_SQRT
#undef FEW

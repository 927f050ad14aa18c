/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The peak of one width, whose names are in speed/each_width.h. The chains must be at least latency
 * times pipes: 4 * 2 on most, 5 * 2 on some, 4 * 4 on cores with narrow vectors and more registers.
 */
#define TWELVE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#if REGISTERS == 32
#define CHAINS 24
#define EACH(DO) TWELVE(DO) DO(12) DO(13) DO(14) DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23)
#else
#define CHAINS 12
#define EACH TWELVE
#endif

#define BEGIN(k) VECTOR x##k = LOAD(x + (k) * LANES);
#define STEP(k) x##k = FMA(x##k, factor, addend);
#define END(k) STORE(x + (k) * LANES, x##k);

TARGET static void
NAME(fma)(double *x, size_t turns)
{
	VECTOR factor = ALL(PEAK_FACTOR), addend = ALL(PEAK_ADDEND);
	EACH(BEGIN)

	/* In registers, where nothing is known of them. */
	__asm__("" : "+" IN_REGISTER(factor), "+" IN_REGISTER(addend));
	for (; turns > 0; turns--) {
		EACH(STEP)
	}
	EACH(END)
}

static const struct peak NAME(peak) = {8 * sizeof(VECTOR), CHAINS * LANES, NAME(fma)};

#undef TWELVE
#undef EACH
#undef CHAINS
#undef BEGIN
#undef STEP
#undef END

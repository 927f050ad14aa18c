/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Includes WIDTH_BODY once for each width of a vector register that the architecture has, with
 *
 *	NAME(word)		the word with the width behind it
 *	TARGET			the attribute that lets a function use the instructions
 *	VECTOR, LANES		the register's type and its doubles
 *	REGISTERS		how many there are
 *	IN_REGISTER		the asm constraint for one
 *	LOAD, STORE, ALL(x), FMA, ADD, MUL, SQRT
 *	STREAM			STORE past the caches, to a multiple of the vector's bytes
 *
 * and defines width_choose.
 */
#if defined __x86_64__

#include <immintrin.h>

#define NAME(word) word##_256
#define TARGET __attribute__((target("avx2,fma")))
#define VECTOR __m256d
#define LANES 4
#define REGISTERS 16
#define IN_REGISTER "x"
#define LOAD _mm256_loadu_pd
#define STORE _mm256_storeu_pd
#define STREAM _mm256_stream_pd
#define ALL _mm256_set1_pd
#define FMA _mm256_fmadd_pd
#define ADD _mm256_add_pd
#define MUL _mm256_mul_pd
#define SQRT _mm256_sqrt_pd
#include WIDTH_BODY
#undef NAME
#undef TARGET
#undef VECTOR
#undef LANES
#undef REGISTERS
#undef IN_REGISTER
#undef LOAD
#undef STORE
#undef STREAM
#undef ALL
#undef FMA
#undef ADD
#undef MUL
#undef SQRT

#define NAME(word) word##_512
#define TARGET __attribute__((target("avx512f,avx2,fma")))
#define VECTOR __m512d
#define LANES 8
#define REGISTERS 32
#define IN_REGISTER "v"
#define LOAD _mm512_loadu_pd
#define STORE _mm512_storeu_pd
#define STREAM _mm512_stream_pd
#define ALL _mm512_set1_pd
#define FMA _mm512_fmadd_pd
#define ADD _mm512_add_pd
#define MUL _mm512_mul_pd
#define SQRT _mm512_sqrt_pd
#include WIDTH_BODY

#elif defined __aarch64__

#include <arm_neon.h>

/* The halves of a vector are what the instruction for a pair takes. */
static inline void
store_past_caches(double *to, float64x2_t value)
{
	__asm__("stnp %d1, %d2, %0"
		: "=Q"(*(double(*)[2])to)
		: "w"(vget_low_f64(value)), "w"(vget_high_f64(value)));
}

#define NAME(word) word##_128
#define TARGET
#define VECTOR float64x2_t
#define LANES 2
#define REGISTERS 32
#define IN_REGISTER "w"
#define LOAD vld1q_f64
#define STORE vst1q_f64
#define STREAM store_past_caches
#define ALL vdupq_n_f64
#define FMA(x, y, z) vfmaq_f64(z, x, y)
#define ADD vaddq_f64
#define MUL vmulq_f64
#define SQRT vsqrtq_f64
#include WIDTH_BODY

#endif

/* The width asked for in bits, or the widest with 0; 0 when this machine has not got it. Its
 * widths are in *supported, such as "256, 512", or "none". */
static unsigned
width_choose(unsigned width, const char **supported)
{
	unsigned narrow = 0, wide = 0;

#if defined __x86_64__
	narrow = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 256 : 0;
	wide = narrow && __builtin_cpu_supports("avx512f") ? 512 : narrow;
	*supported = wide == 512 ? "256, 512" : wide == 256 ? "256" : "none";
#elif defined __aarch64__
	narrow = wide = 128;
	*supported = "128";
#else
	*supported = "none";
#endif
	if (width == 0)
		return wide;
	return width == narrow || width == wide ? width : 0;
}

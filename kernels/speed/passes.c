/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "speed/passes.h"

#include <stdint.h>

/* ---- one element, by the scalar form of the instruction ---- */

#if defined __x86_64__

#include <immintrin.h>

#define SCALAR_TARGET __attribute__((target("avx2,fma")))

SCALAR_TARGET static inline void
one_fma(const double *a, const double *b, const double *c, double *out)
{
	_mm_store_sd(out, _mm_fmadd_sd(_mm_load_sd(a), _mm_load_sd(b), _mm_load_sd(c)));
}

SCALAR_TARGET static inline void
one_add(const double *a, const double *b, const double *c, double *out)
{
	(void)c;
	_mm_store_sd(out, _mm_add_sd(_mm_load_sd(a), _mm_load_sd(b)));
}

SCALAR_TARGET static inline void
one_mul(const double *a, const double *b, const double *c, double *out)
{
	(void)c;
	_mm_store_sd(out, _mm_mul_sd(_mm_load_sd(a), _mm_load_sd(b)));
}

SCALAR_TARGET static inline void
one_sqrt(const double *a, const double *b, const double *c, double *out)
{
	__m128d x = _mm_load_sd(a);

	(void)b;
	(void)c;
	_mm_store_sd(out, _mm_sqrt_sd(x, x));
}

#elif defined __aarch64__

#include <arm_neon.h>

#define SCALAR_TARGET

static inline void
one_fma(const double *a, const double *b, const double *c, double *out)
{
	vst1_f64(out, vfma_f64(vld1_f64(c), vld1_f64(a), vld1_f64(b)));
}

static inline void
one_add(const double *a, const double *b, const double *c, double *out)
{
	(void)c;
	vst1_f64(out, vadd_f64(vld1_f64(a), vld1_f64(b)));
}

static inline void
one_mul(const double *a, const double *b, const double *c, double *out)
{
	(void)c;
	vst1_f64(out, vmul_f64(vld1_f64(a), vld1_f64(b)));
}

static inline void
one_sqrt(const double *a, const double *b, const double *c, double *out)
{
	(void)b;
	(void)c;
	vst1_f64(out, vsqrt_f64(vld1_f64(a)));
}

#endif

#if defined SCALAR_TARGET

#define ONE_FMA one_fma
#define ONE_ADD one_add
#define ONE_MUL one_mul
#define ONE_SQRT one_sqrt

/* The empty asm is a wall between elements that no vectoriser looks behind. */
#define SCALAR(OPERATION)                                                                             \
	SCALAR_TARGET static void scalar_##OPERATION(const double *a, const double *b, const double *c, \
						     double *out, size_t n)                             \
	{                                                                                               \
		for (size_t i = 0; i < n; i++) {                                                        \
			one_##OPERATION(a + i, b + i, c + i, out + i);                                  \
			__asm__ volatile("");                                                           \
		}                                                                                       \
	}
SCALAR(fma)
SCALAR(add)
SCALAR(mul)
SCALAR(sqrt)

#define TABLE(BITS)                                                                                   \
	{                                                                                               \
		BITS, {simd_fma_##BITS, simd_add_##BITS, simd_mul_##BITS, simd_sqrt_##BITS},            \
			{scalar_fma, scalar_add, scalar_mul, scalar_sqrt},                              \
	}

#endif

/* ---- the widths ---- */

#if defined __x86_64__

#define NAME(word) word##_256
#define TARGET SCALAR_TARGET
#define VECTOR __m256d
#define LANES 4
#define LOAD _mm256_loadu_pd
#define STORE _mm256_storeu_pd
#define FMA _mm256_fmadd_pd
#define ADD _mm256_add_pd
#define MUL _mm256_mul_pd
#define SQRT _mm256_sqrt_pd
#include "speed/passes_width.h"
#undef NAME
#undef TARGET
#undef VECTOR
#undef LANES
#undef LOAD
#undef STORE
#undef FMA
#undef ADD
#undef MUL
#undef SQRT

#define NAME(word) word##_512
#define TARGET __attribute__((target("avx512f,avx2,fma")))
#define VECTOR __m512d
#define LANES 8
#define LOAD _mm512_loadu_pd
#define STORE _mm512_storeu_pd
#define FMA _mm512_fmadd_pd
#define ADD _mm512_add_pd
#define MUL _mm512_mul_pd
#define SQRT _mm512_sqrt_pd
#include "speed/passes_width.h"

static const struct speed_passes tables[] = {TABLE(512), TABLE(256)};

const struct speed_passes *
speed_passes_find(unsigned width, const char **supported)
{
	int narrow = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
	int wide = narrow && __builtin_cpu_supports("avx512f");

	*supported = wide ? "256, 512" : narrow ? "256" : "none";
	if (wide && (width == 0 || width == 512))
		return &tables[0];
	return narrow && (width == 0 || width == 256) ? &tables[1] : NULL;
}

#elif defined __aarch64__

#define NAME(word) word##_128
#define TARGET
#define VECTOR float64x2_t
#define LANES 2
#define LOAD vld1q_f64
#define STORE vst1q_f64
#define FMA(x, y, z) vfmaq_f64(z, x, y)
#define ADD vaddq_f64
#define MUL vmulq_f64
#define SQRT vsqrtq_f64
#include "speed/passes_width.h"

static const struct speed_passes table = TABLE(128);

const struct speed_passes *
speed_passes_find(unsigned width, const char **supported)
{
	*supported = "128";
	return width == 0 || width == 128 ? &table : NULL;
}

#else

const struct speed_passes *
speed_passes_find(unsigned width, const char **supported)
{
	(void)width;
	*supported = "none";
	return NULL;
}

#endif

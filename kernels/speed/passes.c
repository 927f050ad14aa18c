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

#define WIDTH_BODY "speed/passes_width.h"
#include "speed/each_width.h"

static const struct speed_passes tables[] = {
#if defined __x86_64__
	TABLE(512), TABLE(256),
#elif defined __aarch64__
	TABLE(128),
#endif
	{0},
};

const struct speed_passes *
speed_passes_find(unsigned width, const char **supported)
{
	const struct speed_passes *table = tables;

	width = width_choose(width, supported);
	while (table->width != 0 && table->width != width)
		table++;
	return table->width != 0 ? table : NULL;
}

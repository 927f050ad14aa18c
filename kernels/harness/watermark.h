/* SPDX-License-Identifier: MIT */
#ifndef ASSAY_WATERMARK_H
#define ASSAY_WATERMARK_H

/*
 * Perturbations of a kernel, one a build: which of its resources would it be faster without? The
 * kernel is written once with the macros below; `watermark "name" { … }` of a spec compiles it as it is
 * and once with each of
 *
 *	-DWATERMARK_ARITHMETIC_ADDED	 more arithmetic, beside the results
 *	-DWATERMARK_ARITHMETIC_REMOVED	 all loads and stores, no arithmetic
 *	-DWATERMARK_ONE_ELEMENT		 all accesses go to one element (or tile)
 *	-DWATERMARK_SYNC_REMOVED	 no locks, barriers, atomics
 *
 * A kernel with none of the four is what it would be without the macros. The others, but the first,
 * compute something else: that is the point, and their results must not be checked:
 *
 *	if (WATERMARK_WRONG) return 0;
 *
 * at the top of the kernel's check. What they take says where the kernel's time goes.
 */

#include <stddef.h>

#if defined(WATERMARK_ARITHMETIC_REMOVED) || defined(WATERMARK_ONE_ELEMENT) || \
	defined(WATERMARK_SYNC_REMOVED)
#define WATERMARK_WRONG 1
#else
#define WATERMARK_WRONG 0
#endif

/* The value is used, in a register: whatever computes or loads it stays. No instruction. It may be a
 * number or a vector of the machine's. */
#if defined(__x86_64__) || defined(__i386__)
#define watermark_consume(value) __asm__ volatile("" : : "xr"(value))
#elif defined(__aarch64__)
#define watermark_consume(value) __asm__ volatile("" : : "wr"(value))
#else
#define watermark_consume(value) __asm__ volatile("" : : "m"(value))
#endif

/*
 * watermark_place(offset): where an access goes: there, or to element 0, which the compiler does not
 * know, so that no load is done once for all. In a loop that the compiler makes vectors of, use it for the
 * offset of a tile that fits the first cache and not for each element, since vectors need neighbours.
 */
#ifdef WATERMARK_ONE_ELEMENT
static inline size_t
watermark_zero(void)
{
	size_t zero = 0;

	__asm__("" : "+r"(zero));
	return zero;
}
#define watermark_place(offset) ((size_t)(offset) & watermark_zero())
#else
#define watermark_place(offset) ((size_t)(offset))
#endif

/*
 * watermark_compute(expression, instead): arithmetic on what was loaded; without it `instead`, one of the
 * loaded values as a rule. watermark_loaded(value) behind the loads keeps those that nobody needs then.
 */
#ifdef WATERMARK_ARITHMETIC_REMOVED
#define watermark_compute(expression, instead) (instead)
#define watermark_loaded(value) watermark_consume(value)
#else
#define watermark_compute(expression, instead) (expression)
#define watermark_loaded(value) ((void)0)
#endif

/*
 * watermark_added(value, steps): a statement: so many multiplications and additions, in four chains, on
 * copies of the value and beside what the kernel computes. Take about as many as the kernel has on a
 * value: a kernel that is short of arithmetic then takes about twice as long, another hides them.
 */
#ifdef WATERMARK_ARITHMETIC_ADDED
#define watermark_added(value, steps)                                                     \
	do {                                                                              \
		__typeof__((value) + (value)) watermark_x = (value), watermark_a = watermark_x, \
			watermark_b = watermark_x + 1, watermark_c = watermark_x + 2,     \
			watermark_d = watermark_x + 3;                                    \
		for (int watermark_k = 0; watermark_k < (steps); watermark_k += 4) {      \
			watermark_a = watermark_a * watermark_x + watermark_x;            \
			watermark_b = watermark_b * watermark_x + watermark_x;            \
			watermark_c = watermark_c * watermark_x + watermark_x;            \
			watermark_d = watermark_d * watermark_x + watermark_x;            \
		}                                                                         \
		watermark_consume(watermark_a + watermark_b + watermark_c + watermark_d); \
	} while (0)
#else
#define watermark_added(value, steps) ((void)0)
#endif

/* watermark_sync(call): a statement that other threads wait for, or nothing. */
#ifdef WATERMARK_SYNC_REMOVED
#define watermark_sync(call) ((void)0)
#else
#define watermark_sync(call) ((void)(call))
#endif

#endif

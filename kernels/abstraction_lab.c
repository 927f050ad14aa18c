/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sum of squares of n numbers, behind abstractions that say nothing of what they cost:
 *
 *	plain		each number through a function that gives it
 *	checked		through one that first looks whether the place exists
 *	interleaved	a gang of eight takes the numbers by turns: those of a step lie side by side
 *	blocked		each of the gang has an eighth of the numbers: those of a step lie far apart
 *
 * Whole numbers modulo 2^32, so that all orders of adding come to the same bits.
 */
#include <stdlib.h>
#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "harness/assay_harness.h"

enum { GANG = 8, LINE_BYTES = 64 };

typedef uint32_t gang __attribute__((vector_size(GANG * sizeof(uint32_t))));

struct array {
	size_t n;
	uint32_t *items;
};

struct scene {
	struct array array;
	uint32_t *sum;
	uint32_t (*run)(const struct array *array, size_t n);
};

static uint64_t length = 1 << 16;

static uint32_t
number(uint64_t i)
{
	return (uint32_t)((i + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static uint32_t
get(const struct array *array, size_t i)
{
	return array->items[i];
}

static uint32_t
get_checked(const struct array *array, size_t i)
{
	if (i >= array->n)
		abort();
	return array->items[i];
}

/* n is a parameter of its own, so that no compiler can know that each place exists. */
static uint32_t
plain(const struct array *array, size_t n)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += get(array, i) * get(array, i);
	return sum;
}

static uint32_t
checked(const struct array *array, size_t n)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += get_checked(array, i) * get_checked(array, i);
	return sum;
}

/* By pointers: how a vector is passed by value depends on the flags. */
static uint32_t
sum_of(const gang *lanes)
{
	uint32_t sum = 0;

	for (size_t lane = 0; lane < GANG; lane++)
		sum += (*lanes)[lane];
	return sum;
}

static uint32_t
interleaved(const struct array *array, size_t n)
{
	gang sum = {0};

	for (size_t i = 0; i < n / GANG; i++) {
		gang x;

		memcpy(&x, array->items + i * GANG, sizeof x);
		sum += x * x;
	}
	return sum_of(&sum);
}

/* Lane k's number is items[k * stride]. */
static void
gather(const uint32_t *items, size_t stride, gang *x)
{
#ifdef __AVX2__
	__m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
	__m256i places = _mm256_mullo_epi32(lanes, _mm256_set1_epi32((int)stride));

	*x = (gang)_mm256_i32gather_epi32((const int *)items, places, 4);
#else
	for (size_t lane = 0; lane < GANG; lane++)
		(*x)[lane] = items[lane * stride];
#endif
}

static uint32_t
blocked(const struct array *array, size_t n)
{
	gang sum = {0};

	for (size_t i = 0; i < n / GANG; i++) {
		gang x;

		gather(array->items + i, n / GANG, &x);
		sum += x * x;
	}
	return sum_of(&sum);
}

static void
tear_down(void *state)
{
	struct scene *scene = state;

	if (!scene)
		return;
	free(scene->array.items);
	free(scene->sum);
	free(scene);
}

static int
set_up(void **state, uint32_t (*run)(const struct array *, size_t), struct assay_error *error)
{
	struct scene *scene = assay_alloc(1, sizeof *scene, error);

	*state = scene;
	if (!scene)
		return -1;
	if (length % GANG != 0)
		return assay_fail(error, "--n=%llu is no multiple of %d", (unsigned long long)length, GANG);
	scene->run = run;
	scene->array.n = length;
	scene->array.items = assay_alloc(length, sizeof *scene->array.items, error);
	scene->sum = scene->array.items ? assay_alloc(1, LINE_BYTES, error) : NULL;
	if (!scene->sum)
		return -1;
	for (size_t i = 0; i < length; i++)
		scene->array.items[i] = number(i);
	return 0;
}

static int
set_up_plain(void **state, struct assay_error *error)
{
	return set_up(state, plain, error);
}

static int
set_up_checked(void **state, struct assay_error *error)
{
	return set_up(state, checked, error);
}

static int
set_up_interleaved(void **state, struct assay_error *error)
{
	return set_up(state, interleaved, error);
}

static int
set_up_blocked(void **state, struct assay_error *error)
{
	return set_up(state, blocked, error);
}

static void
pass(void *state)
{
	struct scene *scene = state;

	*scene->sum = scene->run(&scene->array, length);
}

/* In 64 bits, which hold the same lower 32. */
static int
check(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;
	uint64_t expected = 0;

	for (uint64_t i = length; i-- > 0;)
		expected += (uint64_t)number(i) * number(i);
	if (*scene->sum != (uint32_t)expected)
		return assay_fail(error, "the sum is %lx and must be %lx", (unsigned long)*scene->sum,
				  (unsigned long)(uint32_t)expected);
	return 0;
}

static void
work(const void *state, struct assay_work *done)
{
	const struct scene *scene = state;

	done->len = length;
	done->flops = 2.0 * (double)length; /* whole numbers, but operations all the same */
	done->bytes = (double)length * sizeof(uint32_t);
	done->output = scene->sum;
	done->output_bytes = sizeof *scene->sum;
}

static const struct assay_option options[] = {
	{"n", &length, GANG, 1 << 28, "numbers, a multiple of 8"},
	{NULL, NULL, 0, 0, NULL},
};

#define KERNEL(NAME, SUMMARY) \
	{.name = #NAME, .summary = SUMMARY, .set_up = set_up_##NAME, .pass = pass, .check = check, \
	 .work = work, .tear_down = tear_down}

static const struct assay_kernel kernels[] = {
	KERNEL(plain, "through a function that gives a number"),
	KERNEL(checked, "through one that looks whether it exists"),
	KERNEL(interleaved, "a gang of eight by turns: packed loads"),
	KERNEL(blocked, "an eighth for each of a gang: gathers"),
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "abstraction_lab",
	.summary = "the sum of squares behind abstractions",
	.options = options,
	.kernels = kernels,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One operation on vectors of doubles, by hand in vector instructions (simd) and in the same
 * instruction one element at a time (scalar): out = a*b + c, a + b, a * b, sqrt(a). What the CPU
 * has is chosen at the start, --width=256 or the like asks for a width of its own.
 */
#include <stdlib.h>

#include "speed/data.h"
#include "speed/passes.h"

struct speed {
	struct speed_data data;
	enum speed_operation operation;
	speed_pass *pass;
};

static uint64_t width = 0;

static void
tear_down(void *state)
{
	struct speed *speed = state;

	if (speed)
		speed_data_free(&speed->data);
	free(speed);
}

static int
set_up(void **state, enum speed_operation operation, int simd, struct assay_error *error)
{
	const char *supported;
	const struct speed_passes *passes = speed_passes_find((unsigned)width, &supported);
	struct speed *speed = assay_alloc(1, sizeof *speed, error);

	*state = speed;
	if (!speed)
		return -1;
	if (!passes)
		return assay_fail(error, "unsupported: vectors of %llu bits; this CPU has: %s",
				  (unsigned long long)width, supported);
	speed->operation = operation;
	speed->pass = simd ? passes->simd[operation] : passes->scalar[operation];
	return speed_data_make(&speed->data, error);
}

static void
pass(void *state)
{
	const struct speed *speed = state;
	const struct speed_data *d = &speed->data;

	speed->pass(d->a, d->b, d->c, d->out, d->n);
}

static int
check(const void *state, struct assay_error *error)
{
	const struct speed *speed = state;

	return speed_data_check(&speed->data, speed->operation, 0, error);
}

static void
work(const void *state, struct assay_work *done)
{
	const struct speed *speed = state;

	speed_data_work(&speed->data, speed->operation, done);
}

#define SET_UP(NAME, OPERATION, SIMD)                                  \
	static int NAME(void **state, struct assay_error *error)        \
	{                                                               \
		return set_up(state, OPERATION, SIMD, error);           \
	}
SET_UP(simd_fma, SPEED_FMA, 1)
SET_UP(scalar_fma, SPEED_FMA, 0)
SET_UP(simd_add, SPEED_ADD, 1)
SET_UP(scalar_add, SPEED_ADD, 0)
SET_UP(simd_mul, SPEED_MUL, 1)
SET_UP(scalar_mul, SPEED_MUL, 0)
SET_UP(simd_sqrt, SPEED_SQRT, 1)
SET_UP(scalar_sqrt, SPEED_SQRT, 0)

#define KERNEL(NAME, SUMMARY) \
	{#NAME, SUMMARY, NAME, pass, check, work, tear_down, false}

static const struct assay_kernel kernels[] = {
	KERNEL(simd_fma, "out = a*b + c, eight vectors in flight"),
	KERNEL(scalar_fma, "out = a*b + c, one element at a time"),
	KERNEL(simd_add, "out = a + b, in vectors"),
	KERNEL(scalar_add, "out = a + b, one element at a time"),
	KERNEL(simd_mul, "out = a * b, in vectors"),
	KERNEL(scalar_mul, "out = a * b, one element at a time"),
	KERNEL(simd_sqrt, "out = sqrt(a), in vectors"),
	KERNEL(scalar_sqrt, "out = sqrt(a), one element at a time"),
	{.name = NULL},
};

static const struct assay_option options[] = {
	SPEED_LENGTH_OPTION,
	{"width", &width, 0, 512, "bits of a vector; 0: the widest here"},
	{NULL, NULL, 0, 0, NULL},
};

const struct assay_program assay_program = {
	.name = "speed_lab",
	.summary = "an operation on vectors of doubles, in vector and in scalar instructions",
	.options = options,
	.kernels = kernels,
};

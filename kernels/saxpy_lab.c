/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * y = a*x + y on a processor: one element at a time, or eight floats at a time in the compiler's vectors, which
 * become whatever registers the flags allow.
 */
#include <stdlib.h>
#include <string.h>

#include "harness/assay_harness.h"
#include "saxpy/problem.h"

enum { LANES = 8 };

typedef float wide __attribute__((vector_size(LANES * sizeof(float))));

/* -O2 of today's compilers makes vectors of a loop that is meant to have none. */
#ifdef __clang__
#define NO_VECTORS
#define ONE_BY_ONE _Pragma("clang loop vectorize(disable) interleave(disable)")
#else
#define NO_VECTORS __attribute__((optimize("no-tree-vectorize")))
#define ONE_BY_ONE
#endif

static void
tear_down(void *state)
{
	if (state)
		saxpy_free(state);
	free(state);
}

static int
set_up(void **state, struct assay_error *error)
{
	*state = assay_alloc(1, sizeof(struct saxpy), error);
	return *state ? saxpy_make(*state, error) : -1;
}

NO_VECTORS static void
scalar(size_t n, float a, const float *restrict x, float *restrict y)
{
	ONE_BY_ONE
	for (size_t i = 0; i < n; i++)
		y[i] = a * x[i] + y[i];
}

/* memcpy, because a vector may not be read through a pointer to floats; it becomes one load or store. */
static void
wide_form(size_t n, float a, const float *restrict x, float *restrict y)
{
	size_t i;

	for (i = 0; i + LANES <= n; i += LANES) {
		wide u, v;

		memcpy(&u, x + i, sizeof u);
		memcpy(&v, y + i, sizeof v);
		v = a * u + v;
		memcpy(y + i, &v, sizeof v);
	}
	scalar(n - i, a, x + i, y + i);
}

static void
scalar_pass(void *state)
{
	struct saxpy *saxpy = state;

	scalar(saxpy->n, saxpy_next_factor(saxpy), saxpy->x, saxpy->y);
}

static void
wide_pass(void *state)
{
	struct saxpy *saxpy = state;

	wide_form(saxpy->n, saxpy_next_factor(saxpy), saxpy->x, saxpy->y);
}

static int
check(const void *state, struct assay_error *error)
{
	return saxpy_check(state, error);
}

static void
work(const void *state, struct assay_work *done)
{
	saxpy_work(state, done);
}

static const struct assay_kernel kernels[] = {
	{"scalar", "one element at a time", set_up, scalar_pass, check, work, tear_down, false},
	{"wide", "eight elements at a time", set_up, wide_pass, check, work, tear_down, false},
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "saxpy_lab",
	.summary = "y = a*x + y over floats",
	.options = saxpy_options,
	.kernels = kernels,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * out = 3*a + 2*b over vectors, in two loops or in one.
 *
 *	two_loops	tmp = 3*a;  out = tmp + 2*b	5 accesses an element, a vector more
 *	fused		out = 3*a + 2*b			3 accesses an element
 *
 * Both do the same 3 operations an element, so the difference is the traffic: 40 against 24
 * bytes of the source's own reads and writes. Doubles, because they fill the caches twice as
 * fast as floats and so show that difference from smaller lengths on.
 *
 * The inputs are whole numbers below 2^31. Then 3*a + 2*b is below 2^34 and exact in a double
 * whether or not the compiler contracts it to fused multiply-adds, and both kernels give the
 * same bits at any flags (gcc ignores the FP_CONTRACT pragma).
 */
#include <stdint.h>
#include <stdlib.h>

#include "harness/assay_harness.h"

struct vectors {
	size_t n;
	double *a;
	double *b;
	double *tmp;	/* two_loops only */
	double *out;
};

static uint64_t length = 1000000;

/* Step i of SplitMix64 (Steele, Lea and Flood 2014), its upper 31 bits. Any element can be
 * computed alone, so the check needs neither a copy of the inputs nor trust in a and b. */
static uint64_t
input(uint64_t i)
{
	uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (z ^ z >> 31) >> 33;
}

static void
tear_down(void *state)
{
	struct vectors *v = state;

	if (!v)
		return;
	free(v->a);
	free(v->b);
	free(v->tmp);
	free(v->out);
	free(v);
}

/* The output starts as something that no result is: an untouched element fails the check. */
static void
fill(struct vectors *v)
{
	for (size_t i = 0; i < v->n; i++) {
		v->a[i] = (double)input(2 * i);
		v->b[i] = (double)input(2 * i + 1);
		v->out[i] = -1;
	}
}

static int
set_up_fused(void **state, struct assay_error *error)
{
	struct vectors *v = assay_alloc(1, sizeof *v, error);

	*state = v;
	if (!v)
		return -1;
	v->n = length;
	v->a = assay_alloc(v->n, sizeof *v->a, error);
	v->b = v->a ? assay_alloc(v->n, sizeof *v->b, error) : NULL;
	v->out = v->b ? assay_alloc(v->n, sizeof *v->out, error) : NULL;
	if (!v->out)
		return -1;
	fill(v);
	return 0;
}

static int
set_up_two_loops(void **state, struct assay_error *error)
{
	struct vectors *v;

	if (set_up_fused(state, error) != 0)
		return -1;
	v = *state;
	v->tmp = assay_alloc(v->n, sizeof *v->tmp, error);
	return v->tmp ? 0 : -1;
}

/* Without the clobber a compiler may fuse the loops and measure the other variant. */
static void
two_loops(size_t n, const double *restrict a, const double *restrict b, double *restrict tmp,
	double *restrict out)
{
	for (size_t i = 0; i < n; i++)
		tmp[i] = 3.0 * a[i];
	assay_clobber();
	for (size_t i = 0; i < n; i++)
		out[i] = tmp[i] + 2.0 * b[i];
}

static void
fused(size_t n, const double *restrict a, const double *restrict b, double *restrict out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = 3.0 * a[i] + 2.0 * b[i];
}

/* The pointers go through parameters: compilers trust restrict there and nowhere else. */
static void
two_loops_pass(void *state)
{
	const struct vectors *v = state;

	two_loops(v->n, v->a, v->b, v->tmp, v->out);
}

static void
fused_pass(void *state)
{
	const struct vectors *v = state;

	fused(v->n, v->a, v->b, v->out);
}

/* The reference is computed in whole numbers, from the generator. */
static int
check(const void *state, struct assay_error *error)
{
	const struct vectors *v = state;

	for (size_t i = 0; i < v->n; i++) {
		double expected = (double)(3 * input(2 * i) + 2 * input(2 * i + 1));
		if (v->out[i] != expected)
			return assay_fail(error,
				"element %zu of %zu is %.17g and must be %.17g", i, v->n,
				v->out[i], expected);
	}
	return 0;
}

static void
describe(const struct vectors *v, double accesses, struct assay_work *work)
{
	work->len = v->n;
	work->flops = 3.0 * (double)v->n;
	work->bytes = accesses * sizeof(double) * (double)v->n;
	work->output = v->out;
	work->output_bytes = v->n * sizeof *v->out;
}

static void
two_loops_work(const void *state, struct assay_work *work)
{
	describe(state, 5, work);
}

static void
fused_work(const void *state, struct assay_work *work)
{
	describe(state, 3, work);
}

static const struct assay_option options[] = {
	{"n", &length, 1, 100000000, "elements of a vector"},
	{NULL, NULL, 0, 0, NULL},
};

static const struct assay_kernel kernels[] = {
	{
		.name = "two_loops",
		.summary = "tmp = 3*a, then out = tmp + 2*b",
		.set_up = set_up_two_loops,
		.pass = two_loops_pass,
		.check = check,
		.work = two_loops_work,
		.tear_down = tear_down,
	},
	{
		.name = "fused",
		.summary = "out = 3*a + 2*b in one loop",
		.set_up = set_up_fused,
		.pass = fused_pass,
		.check = check,
		.work = fused_work,
		.tear_down = tear_down,
	},
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "vector_lab",
	.summary = "out = 3*a + 2*b over vectors of doubles",
	.options = options,
	.kernels = kernels,
};

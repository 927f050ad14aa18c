/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sum of a vector, measured rightly and wrongly.
 *
 *	one		one accumulator; the sum is kept
 *	four		four accumulators; the sum is kept
 *	deleted		as `one`, but nobody reads the sum: the compiler may delete the loop
 *	small		a function of its own for each element
 */
#include <stdlib.h>

#include "harness/assay_harness.h"

struct scene {
	size_t n;
	double *x;
	double sum;
};

static uint64_t length = 10000;

static void
tear_down(void *state)
{
	struct scene *scene = state;

	if (!scene)
		return;
	free(scene->x);
	free(scene);
}

/* Whole numbers below 8: their sums are exact in any order. */
static int
set_up(void **state, struct assay_error *error)
{
	struct scene *scene = assay_alloc(1, sizeof *scene, error);

	*state = scene;
	if (!scene)
		return -1;
	scene->n = length;
	scene->x = assay_alloc(scene->n, sizeof *scene->x, error);
	if (!scene->x)
		return -1;
	for (size_t i = 0; i < scene->n; i++)
		scene->x[i] = (double)(i * 5 % 8);
	return 0;
}

static void
one(void *state)
{
	struct scene *scene = state;
	double sum = 0;

	for (size_t i = 0; i < scene->n; i++)
		sum += scene->x[i];
	scene->sum = sum;
}

static void
four(void *state)
{
	struct scene *scene = state;
	double a = 0, b = 0, c = 0, d = 0;
	size_t i;

	for (i = 0; i + 4 <= scene->n; i += 4) {
		a += scene->x[i];
		b += scene->x[i + 1];
		c += scene->x[i + 2];
		d += scene->x[i + 3];
	}
	for (; i < scene->n; i++)
		a += scene->x[i];
	scene->sum = (a + b) + (c + d);
}

/* The pitfall: correct, and without any effect. */
static double
sum_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

static void
deleted(void *state)
{
	const struct scene *scene = state;

	sum_of(scene->x, scene->n);
}

static __attribute__((noinline)) double
add(double sum, double x)
{
	assay_clobber(); /* or calls of so pure a function could be left out */
	return sum + x;
}

static void
small(void *state)
{
	struct scene *scene = state;
	double sum = 0;

	for (size_t i = 0; i < scene->n; i++)
		sum = add(sum, scene->x[i]);
	scene->sum = sum;
}

/* Eight elements in a row are the numbers below 8; the rest one by one. */
static double
expected(size_t n)
{
	size_t sum = n / 8 * 28;

	for (size_t i = n / 8 * 8; i < n; i++)
		sum += i * 5 % 8;
	return (double)sum;
}

static int
check_sum(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;

	return scene->sum == expected(scene->n) ? 0 : assay_fail(error, "the sum is %g", scene->sum);
}

/* Whoever forgot the result has nothing to check. */
static int
check_nothing(const void *state, struct assay_error *error)
{
	(void)state;
	(void)error;
	return 0;
}

static void
work(const void *state, struct assay_work *out)
{
	const struct scene *scene = state;

	out->len = scene->n;
	out->flops = (double)scene->n;
	out->output = &scene->sum;
	out->output_bytes = sizeof scene->sum;
}

static const struct assay_option options[] = {
	{"n", &length, 1, 100000000, "elements"},
	{NULL, NULL, 0, 0, NULL},
};

#define KERNEL(NAME, SUMMARY, PASS, CHECK)                                                          \
	{                                                                                      \
		.name = NAME, .summary = SUMMARY, .set_up = set_up, .pass = PASS, .check = CHECK,  \
		.work = work, .tear_down = tear_down,                                          \
	}

static const struct assay_kernel kernels[] = {
	KERNEL("one", "one accumulator", one, check_sum),
	KERNEL("four", "four accumulators", four, check_sum),
	KERNEL("deleted", "one accumulator that nobody reads", deleted, check_nothing),
	KERNEL("small", "a function of its own for each element", small, check_sum),
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "pitfall_sum_lab",
	.summary = "the sum of a vector, measured rightly and wrongly",
	.options = options,
	.kernels = kernels,
};

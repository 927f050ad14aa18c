/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sum of whole numbers, which a compiler may add up several at once, and the same with each
 * element read through a pointer to volatile.
 */
#include <stdlib.h>

#include "harness/assay_harness.h"

struct scene {
	size_t n;
	uint32_t *x, sum;
};

static uint64_t length = 10000;

static void
tear_down(void *state)
{
	struct scene *scene = state;

	if (scene)
		free(scene->x);
	free(scene);
}

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
		scene->x[i] = (uint32_t)(i * 5 % 8);
	return 0;
}

static void
whole(void *state)
{
	struct scene *scene = state;
	uint32_t sum = 0;

	for (size_t i = 0; i < scene->n; i++)
		sum += scene->x[i];
	scene->sum = sum;
}

/* The pitfall: against the deleting, each read is made to happen, one by one. */
static void
each_read(void *state)
{
	struct scene *scene = state;
	const volatile uint32_t *x = scene->x;
	uint32_t sum = 0;

	for (size_t i = 0; i < scene->n; i++)
		sum += x[i];
	scene->sum = sum;
}

/* Eight elements in a row are the numbers below 8; the rest one by one. */
static int
check(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;
	uint32_t sum = (uint32_t)(scene->n / 8 * 28);

	for (size_t i = scene->n / 8 * 8; i < scene->n; i++)
		sum += (uint32_t)(i * 5 % 8);
	return scene->sum == sum ? 0 : assay_fail(error, "the sum is %u and must be %u", scene->sum, sum);
}

static void
work(const void *state, struct assay_work *out)
{
	const struct scene *scene = state;

	out->len = scene->n;
	out->output = &scene->sum;
	out->output_bytes = sizeof scene->sum;
}

static const struct assay_option options[] = {
	{"n", &length, 1, 100000000, "elements"},
	{NULL, NULL, 0, 0, NULL},
};

static const struct assay_kernel kernels[] = {
	{.name = "whole", .summary = "the sum, kept behind the loop", .set_up = set_up, .pass = whole,
	 .check = check, .work = work, .tear_down = tear_down},
	{.name = "volatile", .summary = "each element read through a volatile pointer", .set_up = set_up,
	 .pass = each_read, .check = check, .work = work, .tear_down = tear_down},
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "pitfall_volatile_lab",
	.summary = "a sum of whole numbers, rightly and wrongly guarded",
	.options = options,
	.kernels = kernels,
};

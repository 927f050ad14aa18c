/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What measuring costs here: a pass that does nothing, one read of each clock, reads of the wall
 * clock until it shows another time, and a piece of work whose only use is to take as long each time.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdlib.h>
#include <time.h>

#include "harness/assay_harness.h"

struct scene {
	uint64_t steps, output;
};

static uint64_t length = 1000;

static int
set_up(void **state, struct assay_error *error)
{
	struct scene *scene = assay_alloc(1, sizeof *scene, error);

	*state = scene;
	if (!scene)
		return -1;
	scene->steps = length;
	return 0;
}

static uint64_t
read_clock(clockid_t clock)
{
	struct timespec t = {0, 0};

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static void
empty(void *state)
{
	assay_keep(state);
}

static void
wall_clock(void *state)
{
	uint64_t now = read_clock(CLOCK_MONOTONIC_RAW);

	(void)state;
	assay_keep(now);
}

static void
cpu_clock(void *state)
{
	uint64_t now = read_clock(CLOCK_THREAD_CPUTIME_ID);

	(void)state;
	assay_keep(now);
}

/* At least two reads: where the clock is finer than a read of it, just that. */
static void
wall_step(void *state)
{
	uint64_t start = read_clock(CLOCK_MONOTONIC_RAW), now = start;

	(void)state;
	while (now == start)
		now = read_clock(CLOCK_MONOTONIC_RAW);
	assay_keep(now);
}

/* Each step needs the one before, so that neither width nor order can make it faster. */
static uint64_t
chain(uint64_t steps)
{
	uint64_t x = 1;

	for (; steps > 0; steps--)
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return x;
}

static void
work(void *state)
{
	struct scene *scene = state;

	scene->output = chain(scene->steps);
}

static int
check_nothing(const void *state, struct assay_error *error)
{
	(void)state;
	(void)error;
	return 0;
}

/* The same recurrence, two steps at once. */
static int
check_work(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;
	const uint64_t a = UINT64_C(6364136223846793005), c = UINT64_C(1442695040888963407);
	uint64_t x = 1;

	for (uint64_t i = 0; i < scene->steps / 2; i++)
		x = x * (a * a) + (a * c + c);
	if (scene->steps % 2 == 1)
		x = x * a + c;
	return x == scene->output ? 0 : assay_fail(error, "the chain ends at another number");
}

static void
describe(const void *state, struct assay_work *out)
{
	const struct scene *scene = state;

	out->len = scene->steps;
	out->output = &scene->output;
	out->output_bytes = sizeof scene->output;
}

static const struct assay_option options[] = {
	{"n", &length, 1, 1000000000, "steps of the chain"},
	{NULL, NULL, 0, 0, NULL},
};

#define KERNEL(NAME, SUMMARY, CHECK)                                                          \
	{                                                                                      \
		.name = #NAME, .summary = SUMMARY, .set_up = set_up, .pass = NAME, .check = CHECK, \
		.work = describe, .tear_down = free,                                           \
	}

static const struct assay_kernel kernels[] = {
	KERNEL(work, "a chain of multiplications and additions", check_work),
	KERNEL(empty, "nothing", check_nothing),
	KERNEL(wall_clock, "one read of CLOCK_MONOTONIC_RAW", check_nothing),
	KERNEL(cpu_clock, "one read of CLOCK_THREAD_CPUTIME_ID", check_nothing),
	KERNEL(wall_step, "reads of CLOCK_MONOTONIC_RAW until it shows another time", check_nothing),
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "measurement_lab",
	.summary = "what measuring costs",
	.options = options,
	.kernels = kernels,
};

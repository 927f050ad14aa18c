/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Something for a profiler to look at: system calls, which a tracer stops at, and a chain of
 * multiplications, which it does not. --sample-hz has the process look at itself from a timer's signal, as a
 * sampling profiler does.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "harness/assay_harness.h"

struct scene {
	uint64_t n, output;
};

static uint64_t length = 100, sample_hz;
static volatile sig_atomic_t seen;

static void
take_sample(int number)
{
	(void)number;
	seen++;
}

static int
start_sampling(struct assay_error *error)
{
	struct sigaction action = {.sa_handler = take_sample, .sa_flags = SA_RESTART};
	const struct timeval period = {0, (suseconds_t)(1000000 / sample_hz)};
	const struct itimerval timer = {period, period};

	if (sigaction(SIGPROF, &action, NULL) != 0 || setitimer(ITIMER_PROF, &timer, NULL) != 0)
		return assay_fail(error, "no timer of the profiler's: %s", strerror(errno));
	return 0;
}

static int
set_up(void **state, struct assay_error *error)
{
	struct scene *scene = assay_alloc(1, sizeof *scene, error);

	*state = scene;
	if (!scene)
		return -1;
	scene->n = length;
	return sample_hz > 0 ? start_sampling(error) : 0;
}

static void
calls(void *state)
{
	struct scene *scene = state;

	for (uint64_t i = 0; i < scene->n; i++)
		scene->output = (uint64_t)syscall(SYS_getuid);
}

static uint64_t
walk(uint64_t steps)
{
	uint64_t x = 1;

	for (; steps > 0; steps--)
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return x;
}

static void
chain(void *state)
{
	struct scene *scene = state;

	scene->output = walk(1000 * scene->n);
}

static int
check_calls(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;

	return scene->output == getuid() ? 0 : assay_fail(error, "the kernel gave another answer");
}

static int
check_chain(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;

	return scene->output == walk(1000 * scene->n) ? 0 : assay_fail(error, "the chain ends wrong");
}

static void
work(const void *state, struct assay_work *out)
{
	const struct scene *scene = state;

	out->len = scene->n;
	out->output = &scene->output;
	out->output_bytes = sizeof scene->output;
}

static const struct assay_option options[] = {
	{"n", &length, 1, 1000000, "calls, or thousands of steps"},
	{"sample-hz", &sample_hz, 0, 100000, "samples a second of CPU time; 0: none"},
	{NULL, NULL, 0, 0, NULL},
};

static const struct assay_kernel kernels[] = {
	{.name = "calls", .summary = "system calls", .set_up = set_up, .pass = calls, .check = check_calls,
	 .work = work, .tear_down = free},
	{.name = "chain", .summary = "a thousand times as many multiplications", .set_up = set_up, .pass = chain,
	 .check = check_chain, .work = work, .tear_down = free},
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "pitfall_profiler_lab",
	.summary = "system calls or arithmetic, for a profiler to look at",
	.options = options,
	.kernels = kernels,
};

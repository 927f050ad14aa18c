/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same work on one thread, on several, and on one that waits in between, for two clocks to
 * disagree about. Each part is a chain that no thread can share with another.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/assay_harness.h"

enum { PARTS = 8 };

struct scene;

struct thread {
	struct scene *scene;
	size_t first;
	pthread_t id;
};

struct scene {
	uint64_t ends[PARTS]; /* of the chains */
	uint64_t steps;       /* of one part */
	struct thread threads[PARTS];
	size_t count;
};

static uint64_t length = 1000000, thread_count = 1;

static uint64_t
chain(uint64_t seed, uint64_t steps)
{
	uint64_t x = seed;

	for (; steps > 0; steps--)
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return x;
}

static void *
do_parts(void *argument)
{
	const struct thread *thread = argument;
	struct scene *scene = thread->scene;

	for (size_t i = thread->first; i < PARTS; i += scene->count)
		scene->ends[i] = chain(i, scene->steps);
	return NULL;
}

/* A thread that cannot be started does its parts here: slower, and right. */
static void
threads_pass(void *state)
{
	struct scene *scene = state;
	int status[PARTS] = {0};

	for (size_t t = 1; t < scene->count; t++) {
		status[t] = pthread_create(&scene->threads[t].id, NULL, do_parts, &scene->threads[t]);
		if (status[t] != 0)
			do_parts(&scene->threads[t]);
	}
	do_parts(&scene->threads[0]);
	for (size_t t = 1; t < scene->count; t++)
		if (status[t] == 0)
			pthread_join(scene->threads[t].id, NULL);
}

/* The same and four milliseconds of sleep, as for a disk, a lock or an answer. */
static void
waiting_pass(void *state)
{
	const struct timespec wait = {0, 4000000};

	threads_pass(state);
	nanosleep(&wait, NULL);
}

static int
set_up(void **state, struct assay_error *error)
{
	struct scene *scene = assay_alloc(1, sizeof *scene, error);

	*state = scene;
	if (!scene)
		return -1;
	scene->steps = length / PARTS;
	scene->count = thread_count;
	for (size_t t = 0; t < scene->count; t++)
		scene->threads[t] = (struct thread){.scene = scene, .first = t};
	return 0;
}

/* The ends in closed form would need powers; a second walk in another order is a check as well. */
static int
check(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;

	for (size_t i = PARTS; i > 0; i--)
		if (scene->ends[i - 1] != chain(i - 1, scene->steps))
			return assay_fail(error, "the chain of part %zu ends wrong", i - 1);
	return 0;
}

static void
work(const void *state, struct assay_work *out)
{
	const struct scene *scene = state;

	out->len = PARTS * scene->steps;
	out->output = scene->ends;
	out->output_bytes = sizeof scene->ends;
}

static const struct assay_option options[] = {
	{"n", &length, PARTS, 1000000000, "steps, over all parts"},
	{"threads", &thread_count, 1, PARTS, "threads that share the parts"},
	{NULL, NULL, 0, 0, NULL},
};

static const struct assay_kernel kernels[] = {
	{.name = "threads", .summary = "the parts, shared among --threads", .set_up = set_up,
	 .pass = threads_pass, .check = check, .work = work, .tear_down = free, .threaded = true},
	{.name = "waiting", .summary = "the parts, and four milliseconds of waiting", .set_up = set_up,
	 .pass = waiting_pass, .check = check, .work = work, .tear_down = free, .threaded = true},
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "pitfall_clock_lab",
	.summary = "work for wall time and CPU time to disagree about",
	.options = options,
	.kernels = kernels,
};

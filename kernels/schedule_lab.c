/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * n tasks of known but unequal length for several threads. With --unequal=1 task i takes in the order of
 * i steps, so that the last half of them is three quarters of the work; with --unequal=0 all
 * take as many.
 *
 *	static_blocks	each thread has n/P tasks in a row
 *	static_cyclic	thread k has the tasks k, k + P, k + 2P, ...
 *	dynamic		who is free takes the next --chunk tasks from a shared counter
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "harness/assay_harness.h"
#include "team/team.h"

/* Knuth's MMIX generator: one step is a multiplication and an addition that need the step before. */
#define FACTOR UINT64_C(6364136223846793005)
#define ADDEND UINT64_C(1442695040888963407)

enum { LINE_BYTES = 64 };

struct scene {
	struct team *team;
	team_job *job;
	_Atomic uint64_t *next; /* in a line of its own */
	uint64_t *results;
};

static uint64_t tasks = 2048, threads = 2, chunk = 4, unequal = 1;

static uint64_t
steps_of(uint64_t i)
{
	return unequal ? i + 1 : (tasks + 1) / 2;
}

static void
do_tasks(struct scene *scene, uint64_t from, uint64_t to, uint64_t stride)
{
	for (uint64_t i = from; i < to; i += stride) {
		uint64_t x = i;

		for (uint64_t k = steps_of(i); k > 0; k--) {
			x = x * FACTOR + ADDEND;
			__asm__ volatile("" : "+r"(x)); /* as it is written, step by step */
		}
		scene->results[i] = x;
	}
}

static void
static_blocks(void *state, size_t member, size_t members)
{
	do_tasks(state, team_share(tasks, member, members), team_share(tasks, member + 1, members), 1);
}

static void
static_cyclic(void *state, size_t member, size_t members)
{
	do_tasks(state, member, tasks, members);
}

static void
dynamic(void *state, size_t member, size_t members)
{
	struct scene *scene = state;
	uint64_t from;

	(void)member;
	(void)members;
	while ((from = atomic_fetch_add(scene->next, chunk)) < tasks)
		do_tasks(scene, from, from + chunk < tasks ? from + chunk : tasks, 1);
}

static void
tear_down(void *state)
{
	struct scene *scene = state;

	if (!scene)
		return;
	team_free(scene->team);
	free(scene->next);
	free(scene->results);
	free(scene);
}

static int
set_up(void **state, team_job *job, struct assay_error *error)
{
	struct scene *scene = assay_alloc(1, sizeof *scene, error);

	*state = scene;
	if (!scene)
		return -1;
	scene->job = job;
	scene->next = assay_alloc(1, LINE_BYTES, error);
	scene->results = scene->next ? assay_alloc(tasks, sizeof *scene->results, error) : NULL;
	scene->team = scene->results ? team_make(threads, error) : NULL;
	return scene->team ? 0 : -1;
}

static int
set_up_static_blocks(void **state, struct assay_error *error)
{
	return set_up(state, static_blocks, error);
}

static int
set_up_static_cyclic(void **state, struct assay_error *error)
{
	return set_up(state, static_cyclic, error);
}

static int
set_up_dynamic(void **state, struct assay_error *error)
{
	return set_up(state, dynamic, error);
}

static void
pass(void *state)
{
	struct scene *scene = state;

	atomic_store(scene->next, 0);
	team_run(scene->team, scene->job, scene);
}

/* k steps from x at once: k steps are x * a + c, and 2k steps are those twice. */
static uint64_t
after(uint64_t x, uint64_t k)
{
	uint64_t a = FACTOR, c = ADDEND;

	for (; k > 0; k >>= 1) {
		if (k & 1)
			x = x * a + c;
		c += a * c;
		a *= a;
	}
	return x;
}

static int
check(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;

	for (uint64_t i = 0; i < tasks; i++)
		if (scene->results[i] != after(i, steps_of(i)))
			return assay_fail(error, "task %llu came to %llx and must come to %llx",
					  (unsigned long long)i, (unsigned long long)scene->results[i],
					  (unsigned long long)after(i, steps_of(i)));
	return 0;
}

static void
work(const void *state, struct assay_work *done)
{
	const struct scene *scene = state;
	double steps = 0;

	for (uint64_t i = 0; i < tasks; i++)
		steps += (double)steps_of(i);
	done->len = tasks;
	done->flops = 2 * steps;
	done->output = scene->results;
	done->output_bytes = tasks * sizeof *scene->results;
}

static const struct assay_option options[] = {
	{"n", &tasks, 1, 1 << 20, "tasks"},
	{"threads", &threads, 1, TEAM_MAX, "threads"},
	{"chunk", &chunk, 1, 1 << 20, "tasks that are taken at once (dynamic)"},
	{"unequal", &unequal, 0, 1, "1: task i takes i + 1 steps; 0: all take (n + 1) / 2"},
	{NULL, NULL, 0, 0, NULL},
};

#define KERNEL(NAME, SUMMARY) \
	{#NAME, SUMMARY, set_up_##NAME, pass, check, work, tear_down, true}

static const struct assay_kernel kernels[] = {
	KERNEL(static_blocks, "tasks in a row for each thread"),
	KERNEL(static_cyclic, "every P-th task for each thread"),
	KERNEL(dynamic, "the next tasks for who is free"),
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "schedule_lab",
	.summary = "unequal tasks for several threads, by who gets which",
	.options = options,
	.kernels = kernels,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * n increments by several threads, each on a counter of its own:
 *
 *	packed		the counters side by side in one cache line
 *	padded		each counter in a cache line of its own
 *	private		a register, added to the total once a thread at the end
 *
 * No two threads write to one counter, so none loses a count, and all do the same n increments.
 * What differs is who owns the line: where threads write to different words of one line, each
 * write has to take the line from the other (false sharing).
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "harness/assay_harness.h"
#include "team/team.h"

enum { LINE_BYTES = 64, WORDS = LINE_BYTES / sizeof(uint64_t) };

struct scene {
	struct team *team;
	/* Volatile: each increment is a load and a store, as of a counter that others may read. */
	volatile uint64_t *counters;
	size_t stride; /* words from one counter to the next */
	_Atomic uint64_t *total;
	team_job *job;
};

static uint64_t increments = 1 << 20, threads = 2;

static void
tear_down(void *state)
{
	struct scene *scene = state;

	if (!scene)
		return;
	team_free(scene->team);
	free((void *)(uintptr_t)scene->counters);
	free(scene->total);
	free(scene);
}

static int
set_up(void **state, team_job *job, size_t stride, struct assay_error *error)
{
	struct scene *scene = assay_alloc(1, sizeof *scene, error);

	*state = scene;
	if (!scene)
		return -1;
	scene->job = job;
	scene->stride = stride;
	scene->counters = assay_alloc(TEAM_MAX * stride, sizeof *scene->counters, error);
	scene->total = scene->counters ? assay_alloc(1, LINE_BYTES, error) : NULL;
	scene->team = scene->total ? team_make(threads, error) : NULL;
	return scene->team ? 0 : -1;
}

static void
count_in_memory(void *state, size_t member, size_t members)
{
	struct scene *scene = state;
	volatile uint64_t *counter = scene->counters + member * scene->stride;
	size_t n = team_share(increments, member + 1, members) -
		team_share(increments, member, members);

	*counter = 0;
	for (size_t i = 0; i < n; i++)
		(*counter)++;
	atomic_fetch_add(scene->total, *counter);
}

static void
count_in_register(void *state, size_t member, size_t members)
{
	struct scene *scene = state;
	size_t n = team_share(increments, member + 1, members) -
		team_share(increments, member, members);
	uint64_t mine = 0;

	for (size_t i = 0; i < n; i++) {
		mine++;
		__asm__ volatile("" : "+r"(mine)); /* else the loop is one addition */
	}
	atomic_fetch_add(scene->total, mine);
}

static int
set_up_packed(void **state, struct assay_error *error)
{
	return set_up(state, count_in_memory, 1, error);
}

static int
set_up_padded(void **state, struct assay_error *error)
{
	return set_up(state, count_in_memory, WORDS, error);
}

static int
set_up_private(void **state, struct assay_error *error)
{
	return set_up(state, count_in_register, WORDS, error);
}

static void
pass(void *state)
{
	struct scene *scene = state;

	atomic_store(scene->total, 0);
	team_run(scene->team, scene->job, scene);
}

static int
check(const void *state, struct assay_error *error)
{
	const struct scene *scene = state;
	uint64_t total = *scene->total;

	if (total != increments)
		return assay_fail(error, "%llu increments were counted and %llu were asked for",
				  (unsigned long long)total, (unsigned long long)increments);
	return 0;
}

static void
work(const void *state, struct assay_work *done)
{
	const struct scene *scene = state;

	done->len = increments;
	done->flops = (double)increments;
	done->output = scene->total;
	done->output_bytes = sizeof *scene->total;
}

static const struct assay_option options[] = {
	{"n", &increments, 1, UINT64_C(1) << 40, "increments of all threads together"},
	{"threads", &threads, 1, TEAM_MAX, "threads"},
	{NULL, NULL, 0, 0, NULL},
};

#define KERNEL(NAME, SUMMARY) \
	{#NAME, SUMMARY, set_up_##NAME, pass, check, work, tear_down, true}

static const struct assay_kernel kernels[] = {
	KERNEL(packed, "the threads' counters in one cache line"),
	KERNEL(padded, "a cache line for each counter"),
	KERNEL(private, "a register for each thread, merged at the end"),
	{.name = NULL},
};

const struct assay_program assay_program = {
	.name = "sharing_lab",
	.summary = "counters of several threads, by where they lie",
	.options = options,
	.kernels = kernels,
};

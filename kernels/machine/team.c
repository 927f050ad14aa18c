/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "machine/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define CPUS 65536
#define LINE_DOUBLES 8

struct worker {
	struct team *team;
	size_t thread;
	pthread_t handle;
};

struct team {
	pthread_barrier_t begin, end;
	size_t threads;
	team_job *job; /* NULL: leave */
	void *context;
	struct worker *workers;
};

static int
nth_cpu(const cpu_set_t *set, size_t bytes, size_t n)
{
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		if (CPU_ISSET_S((size_t)cpu, bytes, set) && n-- == 0)
			return cpu;
	return -1;
}

/* One CPU for this thread, where that is possible; a team that isn't pinned measures, too. */
static void
pin(const cpu_set_t *allowed, size_t thread)
{
	size_t bytes = CPU_ALLOC_SIZE(CPUS), count = (size_t)CPU_COUNT_S(bytes, allowed);
	cpu_set_t *own = CPU_ALLOC(CPUS);

	if (own && count > 0) {
		CPU_ZERO_S(bytes, own);
		CPU_SET_S((size_t)nth_cpu(allowed, bytes, thread % count), bytes, own);
		(void)sched_setaffinity(0, bytes, own);
	}
	CPU_FREE(own);
}

static void *
serve(void *context)
{
	const struct worker *worker = context;
	struct team *team = worker->team;

	for (;;) {
		pthread_barrier_wait(&team->begin);
		if (!team->job)
			return NULL;
		team->job(team->context, worker->thread, team->threads);
		pthread_barrier_wait(&team->end);
	}
}

/* Threads inherit the affinity of the one that starts them: each is started from its own CPU. */
static int
start_workers(struct team *team, const cpu_set_t *allowed, struct assay_error *error)
{
	size_t i;

	for (i = 1; i < team->threads; i++) {
		int status;

		team->workers[i] = (struct worker){.team = team, .thread = i};
		pin(allowed, i);
		status = pthread_create(&team->workers[i].handle, NULL, serve, &team->workers[i]);
		if (status != 0)
			return assay_fail(error, "cannot start thread %zu of %zu: %s", i + 1, team->threads,
					  strerror(status));
	}
	pin(allowed, 0);
	return 0;
}

struct team *
team_start(size_t threads, struct assay_error *error)
{
	size_t bytes = CPU_ALLOC_SIZE(CPUS);
	struct team *team = calloc(1, sizeof *team);
	cpu_set_t *allowed = CPU_ALLOC(CPUS);

	if (team)
		team->workers = calloc(threads, sizeof *team->workers);
	if (!team || !team->workers || !allowed) {
		assay_fail(error, "no memory for %zu threads", threads);
		CPU_FREE(allowed);
		free(team ? team->workers : NULL);
		free(team);
		return NULL;
	}
	team->threads = threads;
	pthread_barrier_init(&team->begin, NULL, (unsigned)threads);
	pthread_barrier_init(&team->end, NULL, (unsigned)threads);
	CPU_ZERO_S(bytes, allowed);
	(void)sched_getaffinity(0, bytes, allowed);
	if (start_workers(team, allowed, error) != 0)
		team = NULL; /* those that were started use it as long as the process lives */
	CPU_FREE(allowed);
	return team;
}

void
team_run(struct team *team, team_job *job, void *context)
{
	team->job = job;
	team->context = context;
	pthread_barrier_wait(&team->begin);
	job(context, 0, team->threads);
	pthread_barrier_wait(&team->end);
}

void
team_end(struct team *team)
{
	size_t i;

	if (!team)
		return;
	team->job = NULL;
	pthread_barrier_wait(&team->begin);
	for (i = 1; i < team->threads; i++)
		pthread_join(team->workers[i].handle, NULL);
	pthread_barrier_destroy(&team->begin);
	pthread_barrier_destroy(&team->end);
	free(team->workers);
	free(team);
}

size_t
team_from(size_t n, size_t thread, size_t threads)
{
	size_t lines = n / LINE_DOUBLES;

	return thread == threads ? n : lines / threads * thread * LINE_DOUBLES;
}

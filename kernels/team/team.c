/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "team/team.h"

enum { LINE_BYTES = 64, SPINS = 1 << 14 };

/*
 * With a CPU for each, the threads spin at the barrier, since to wake a sleeping one can take longer
 * than what it then does. Where they share CPUs they sleep: one that spun would keep the CPU from the one
 * that it waits for.
 */
struct team {
	alignas(LINE_BYTES) _Atomic size_t arrived; /* at this round of the spinning barrier */
	_Atomic size_t rounds;
	alignas(LINE_BYTES) bool spins;
	size_t members;
	size_t started;
	pthread_barrier_t barrier;
	team_job *job; /* NULL: go home */
	void *scene;
	struct member {
		struct team *team;
		size_t number;
		pthread_t thread;
	} all[TEAM_MAX];
};

/* Somebody else may need the CPU all the same, so not for ever. */
static void
spin_while(_Atomic size_t *word, size_t value)
{
	size_t i;

	for (i = 0; atomic_load_explicit(word, memory_order_acquire) == value; i++)
		if (i >= SPINS)
			sched_yield();
}

void
team_wait(struct team *team)
{
	size_t round;

	if (!team->spins) {
		pthread_barrier_wait(&team->barrier);
		return;
	}
	round = atomic_load(&team->rounds);
	if (atomic_fetch_add(&team->arrived, 1) + 1 < team->members) {
		spin_while(&team->rounds, round);
		return;
	}
	atomic_store(&team->arrived, 0);
	atomic_store(&team->rounds, round + 1);
}

static void *
live(void *argument)
{
	struct member *member = argument;
	struct team *team = member->team;

	for (;;) {
		team_wait(team);
		if (!team->job)
			return NULL;
		team->job(team->scene, member->number, team->members);
		team_wait(team);
	}
}

/* The k-th CPU of the set, round again where it has fewer. */
static int
nth_cpu(const cpu_set_t *set, size_t k)
{
	int cpu = -1;

	for (k %= (size_t)CPU_COUNT(set); k != (size_t)-1; k--)
		do
			cpu++;
		while (!CPU_ISSET(cpu, set));
	return cpu;
}

static int
pin(pthread_t thread, const cpu_set_t *allowed, size_t k, struct assay_error *error)
{
	cpu_set_t one;
	int status, cpu = nth_cpu(allowed, k);

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	status = pthread_setaffinity_np(thread, sizeof one, &one);
	if (status != 0)
		return assay_fail(error, "thread %zu cannot be pinned to CPU %d: %s", k, cpu,
				  strerror(status));
	return 0;
}

static int
start(struct team *team, const cpu_set_t *allowed, struct assay_error *error)
{
	size_t k;

	for (k = 1; k < team->members; k++) {
		struct member *member = &team->all[k];
		int status;

		member->team = team;
		member->number = k;
		status = pthread_create(&member->thread, NULL, live, member);
		if (status != 0)
			return assay_fail(error, "thread %zu of %zu does not start: %s", k,
					  team->members, strerror(status));
		team->started = k;
		if (pin(member->thread, allowed, k, error) != 0)
			return -1;
	}
	return pin(pthread_self(), allowed, 0, error);
}

/* With some members missing the others wait at the barrier for ever; the process ends anyway. */
struct team *
team_make(size_t members, struct assay_error *error)
{
	struct team *team;
	cpu_set_t allowed;

	if (members < 1 || members > TEAM_MAX) {
		assay_fail(error, "a team has 1 to %d threads, not %zu", TEAM_MAX, members);
		return NULL;
	}
	if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) == 0) {
		assay_fail(error, "cannot read which CPUs there are");
		return NULL;
	}
	team = assay_alloc(1, sizeof *team, error);
	if (!team)
		return NULL;
	team->members = members;
	team->spins = members <= (size_t)CPU_COUNT(&allowed);
	pthread_barrier_init(&team->barrier, NULL, (unsigned)members);
	if (start(team, &allowed, error) == 0)
		return team;
	if (team->started == 0)
		free(team);
	return NULL;
}

void
team_free(struct team *team)
{
	size_t k;

	if (!team)
		return;
	team->job = NULL;
	team_wait(team);
	for (k = 1; k <= team->started; k++)
		pthread_join(team->all[k].thread, NULL);
	pthread_barrier_destroy(&team->barrier);
	free(team);
}

void
team_run(struct team *team, team_job *job, void *scene)
{
	team->job = job;
	team->scene = scene;
	team_wait(team);
	job(scene, 0, team->members);
	team_wait(team);
}

size_t
team_share(size_t n, size_t member, size_t members)
{
	return n / members * member + (n % members < member ? n % members : member);
}

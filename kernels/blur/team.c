/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "blur/team.h"

struct member {
	struct team *team;
	unsigned number;
	pthread_t thread;
};

struct team {
	unsigned members, started; /* of the threads started, the caller is none */
	team_work *work;
	void *state;
	pthread_mutex_t gate;      /* held until all members are there, or will never be */
	pthread_barrier_t barrier;
	bool over;                 /* changes only while the members wait */
	struct member *others;     /* [members - 1] */
};

void
team_meet(struct team *team)
{
	if (team->members > 1)
		pthread_barrier_wait(&team->barrier);
}

static void *
serve(void *argument)
{
	const struct member *self = argument;
	struct team *team = self->team;
	bool over;

	pthread_mutex_lock(&team->gate);
	over = team->over; /* not all could be started: then nobody meets */
	pthread_mutex_unlock(&team->gate);
	while (!over) {
		team_meet(team);
		over = team->over;
		if (!over) {
			team->work(team->state, self->number, team->members);
			team_meet(team);
		}
	}
	return NULL;
}

/* With the gate held. */
static int
start_others(struct team *team, struct assay_error *error)
{
	for (; team->started + 1 < team->members; team->started++) {
		struct member *one = &team->others[team->started];
		int problem;

		*one = (struct member){.team = team, .number = team->started + 1};
		problem = pthread_create(&one->thread, NULL, serve, one);
		if (problem != 0) {
			team->over = true;
			return assay_fail(error, "cannot start thread %u of %u: %s", one->number + 1,
					  team->members, strerror(problem));
		}
	}
	return 0;
}

static void
join_others(struct team *team)
{
	for (unsigned i = 0; i < team->started; i++)
		pthread_join(team->others[i].thread, NULL);
	pthread_barrier_destroy(&team->barrier);
	pthread_mutex_destroy(&team->gate);
	free(team->others);
	free(team);
}

struct team *
team_start(unsigned members, team_work *work, void *state, struct assay_error *error)
{
	struct team *team = assay_alloc(1, sizeof *team, error);
	int status;

	if (!team)
		return NULL;
	team->members = members;
	team->work = work;
	team->state = state;
	pthread_mutex_init(&team->gate, NULL);
	pthread_barrier_init(&team->barrier, NULL, members);
	team->others = assay_alloc(members, sizeof *team->others, error);
	pthread_mutex_lock(&team->gate);
	status = team->others ? start_others(team, error) : -1;
	pthread_mutex_unlock(&team->gate);
	if (status == 0)
		return team;
	join_others(team);
	return NULL;
}

void
team_run(struct team *team)
{
	team_meet(team);
	team->work(team->state, 0, team->members);
	team_meet(team);
}

void
team_end(struct team *team)
{
	if (!team)
		return;
	team->over = true;
	team_meet(team);
	join_others(team);
}

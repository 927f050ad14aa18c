/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BLUR_TEAM_H
#define BLUR_TEAM_H

#include "harness/assay_harness.h"

/*
 * Threads that wait to do one piece of work together, again and again: started once, so that a
 * timed pass pays for meeting and not for starting. The caller is the member 0.
 */
struct team;

/* What a member does; `state` is that of team_start. */
typedef void team_work(void *state, unsigned member, unsigned members);

/* NULL with the error filled; team_end then has nothing to do. */
struct team *team_start(unsigned members, team_work *work, void *state, struct assay_error *error);
/* Each member works once; returns when all are done. */
void team_run(struct team *team);
/* Waits for all members, inside their work. */
void team_meet(struct team *team);
void team_end(struct team *team);

#endif

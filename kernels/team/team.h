/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TEAM_H
#define TEAM_H

/*
 * Threads that are there before anything is timed and wait between two passes, so that a sample
 * holds no thread's start. The caller is member 0 and works too.
 */

#include <stddef.h>

#include "harness/assay_harness.h"

#define TEAM_MAX 64

struct team;

/* What a member does; member runs from 0 to members - 1. */
typedef void team_job(void *scene, size_t member, size_t members);

/*
 * A team of so many, 1 to TEAM_MAX. Member k is pinned to the k-th CPU that the process may use,
 * and round again where there are fewer, the caller with the others: a scheduler that puts two of them on one
 * CPU for a while would be measured otherwise. NULL with the error filled; team_free ends the threads.
 */
struct team *team_make(size_t members, struct assay_error *error);
void team_free(struct team *team);

/* Has each member do the job once; returns when all are done. */
void team_run(struct team *team, team_job *job, void *scene);

/* Inside a job: waits until all members are here. */
void team_wait(struct team *team);

/* Where member k's share of n things in a row begins; that of member k + 1 is its end. */
size_t team_share(size_t n, size_t member, size_t members);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ASSAY_MACHINE_TEAM_H
#define ASSAY_MACHINE_TEAM_H

/*
 * Threads that do the same at once: one a CPU of those that this process may use, round again
 * when there are more threads. The caller is thread 0 and gets pinned like the others, which
 * sleep between two jobs.
 */
#include <stddef.h>

#include "harness/assay_harness.h"

struct team;

/* One thread's part of a job. */
typedef void team_job(void *context, size_t thread, size_t threads);

/* NULL with the error filled. To be left by the thread that made it. */
struct team *team_start(size_t threads, struct assay_error *error);
/* All threads run the job once; done when the last is. */
void team_run(struct team *team, team_job *job, void *context);
/* NULL is no team. */
void team_end(struct team *team);

/* Where a thread's share of n elements begins: whole cache lines of doubles; team_from(n, threads,
 * threads) is n. */
size_t team_from(size_t n, size_t thread, size_t threads);

#endif

#ifndef ASSAY_SESSION_H
#define ASSAY_SESSION_H

#include <stdio.h>

#include "base/error.h"
#include "session/lock.h"
#include "session/work.h"

/*
 * Who is told how far a session is, between groups and at its start, to show it otherwise than
 * `out` does: `done` of `blocks` blocks are measured; seconds_left < 0: not known yet, that is
 * before the first warm-up has ended.
 */
struct session_watcher {
	void (*show)(void *context, int done, int blocks, double seconds_left);
	void *context;
};

/*
 * One session of the store: warm-ups, then the blocks that lack, each group launched, judged and
 * published whole; at the end programs, inputs and machine are verified. The unit of resuming is
 * the block: what a kill or a signal leaves of one are orphans, and it is taken again whole.
 */
struct session_order {
	const struct plan *plan;
	const struct identity *identity;
	struct work *work;             /* work->count > 0 */
	const struct work_wish *wish;
	const struct stop_rule *rule;  /* NULL: all of the work is taken */
	struct lock *lock;             /* held shared; may still be held when session_run returns */
	const char *label;             /* study and case, for people */
	const char *token;             /* leftovers.h */
	const char *why;               /* --again's reason, or NULL */
	FILE *out;                     /* progress and messages; NULL: none */
	const struct session_watcher *watcher; /* NULL: none */
};

/* Failing groups are data: 0. -1 with *error: code EXIT_INTERRUPTED after a signal (what is
 * complete is kept), EXIT_FAILED for a full disk, or a session that turned out invalid. */
int session_run(const struct session_order *order, struct error *error);

#endif

#ifndef ASSAY_LOCK_H
#define ASSAY_LOCK_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/*
 * The machine-wide lock: nothing runs beside a measurement, whichever study, clone or user it
 * belongs to (DESIGN 4.2). Shared holders (compile, analyse, plot) and one exclusive holder (a
 * session's block) exclude each other, first come, first served: who asks again queues behind
 * those who waited, so neither sessions nor a stream of shared holders starve anybody.
 * A killed holder's lock is free as soon as its descriptors are closed; see warden.h.
 * A descendant of a holder (token in the environment, verified) is covered by its ancestor's
 * hold: its acquire returns at once and its release does nothing.
 * Files and the queue: lock.c.
 */

enum lock_mode { LOCK_SHARED, LOCK_EXCLUSIVE };

struct lock;

/* `who` is shown to those who wait: study, case. NULL with *error. Takes nothing yet. */
struct lock *lock_open(const char *who, struct error *error);

/* Waits end when *interrupted becomes true: a signal handler of the caller sets it, installed
 * without SA_RESTART. Without this call only a deadly signal ends a wait. */
void lock_interrupted_by(struct lock *lock, const volatile int *interrupted);

/*
 * Waits for the hold; tells on stderr for whom when that passes two seconds. While held, the
 * token for descendants is in the environment. -1 with *error (code EXIT_INTERRUPTED when the
 * wait was interrupted). Uses SIGALRM and ITIMER_REAL while it waits and puts both back.
 */
int lock_acquire(struct lock *lock, enum lock_mode mode, struct error *error);
void lock_release(struct lock *lock);

/*
 * Between two blocks of a session, while held: whoever waits has his turn, then we hold again in
 * the same mode. Returns at once, the hold kept, when nobody waits. -1: no longer held.
 */
int lock_yield(struct lock *lock, struct error *error);

/* Descriptors to keep open in a warden so that a killed holder's lock outlives it until its
 * groups are gone; *count of them, borrowed; the same for as long as the lock is open. */
const int *lock_descriptors(const struct lock *lock, int *count);
void lock_close(struct lock *lock);

/* Prints a line for everybody who holds or waits: "holds shared pid=… who". */
int lock_print_status(FILE *out, struct error *error);

/* The folder in use: $ASSAY_LOCK_DIR, else /run/lock/assay, else /tmp/assay-lock. */
const char *lock_folder(void);

/* True when an ancestor's hold covers this process: acquire would do nothing. */
bool lock_is_covered(const struct lock *lock);

#endif

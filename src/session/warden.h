#ifndef ASSAY_WARDEN_H
#define ASSAY_WARDEN_H

#include "base/error.h"

/*
 * A process beside the session that sleeps until the session stops it or dies. When it dies
 * (kill -9 too), the warden ends all processes that carry the session's token (leftovers.h) and
 * only then lets go of the descriptors: the machine-wide lock stays held until no process of the
 * killed session runs. One a process.
 */

/* `fds`: lock_descriptors. Start it before the first group. -1 with *error. */
int warden_start(const char *token, const int *fds, int count, struct error *error);
/* Sends it away; nothing is killed. Does nothing when none runs. */
void warden_stop(void);

#endif

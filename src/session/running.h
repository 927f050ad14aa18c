#ifndef ASSAY_RUNNING_H
#define ASSAY_RUNNING_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/*
 * The file `running` in a case's folder of the store: which session measures it now. The file is
 * also the lock: POSIX record locks end with their process, whatever its children do, so that a
 * file that can be locked belongs to a dead session. Its token says which processes it may have
 * left. Lines: pid=, started=, token=.
 */
struct running;

/* The process that measures the case now; 0: none. */
pid_t running_holder(const char *store_folder);
/*
 * Takes the file, ends what a dead session left, writes ours. NULL with *busy when another session
 * measures the case; NULL with *error when the store can't be written.
 */
struct running *running_take(const char *store_folder, const char *token, bool *busy,
			     struct error *error);
/*
 * While another session measures the case: says so on stderr and sleeps until its process has
 * ended. Not to be called with the machine's lock held, which that session needs. -1 when
 * *interrupted became true.
 */
int running_wait(const char *case_id, const char *store_folder, const volatile int *interrupted,
		 struct error *error);
/* Removes the file. NULL is fine. */
void running_drop(struct running *running);

#endif

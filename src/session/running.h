#ifndef ASSAY_RUNNING_H
#define ASSAY_RUNNING_H

#include "base/error.h"

/*
 * The file `running` in a case's folder of the store: which session measures it now. The file is
 * also the lock: POSIX record locks end with their process, whatever its children do, so that a
 * file that can be locked belongs to a dead session. Its token says which processes it may have
 * left. Lines: pid=, started=, token=.
 */
struct running;

/*
 * Takes the file, ends what a dead session left, writes ours. NULL with *error when another
 * session measures the case, or the store can't be written. `case_id` for the message.
 */
struct running *running_take(const char *case_id, const char *store_folder, const char *token,
			     struct error *error);
/* -1 with the same message when another session measures the case; takes and writes nothing. */
int running_check(const char *case_id, const char *store_folder, struct error *error);
/* Removes the file. NULL is fine. */
void running_drop(struct running *running);

#endif

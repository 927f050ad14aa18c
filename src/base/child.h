#ifndef ASSAY_CHILD_H
#define ASSAY_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/*
 * A program asked for its output: found in PATH, started from its argument list without a shell,
 * with stdin /dev/null, LC_ALL=C, and of our environment only what decides where it and its
 * settings lie. It is ended when it takes longer than 20 s or prints more than the limit. After 2 s
 * stderr is told what is waited for.
 */
struct child {
	struct buffer out;       /* stdout; may hold NULs */
	struct buffer complaint; /* the start of stderr */
	int exit_code;           /* -1: it did not get to exit by itself */
	char *problem;           /* NULL when it exited with 0; else why not, in a few words */
	bool missing, too_long;  /* not installed; printed more than `limit` bytes */
};

/* `argv` ends with NULL. Always child_free. */
void child_run(const char *const *argv, size_t limit, struct child *child);
void child_free(struct child *child);

#endif

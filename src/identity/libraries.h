#ifndef ASSAY_LIBRARIES_H
#define ASSAY_LIBRARIES_H

#include <stddef.h>

#include "spec/study.h"

/* The shared libraries of a program, as its own dynamic loader finds them. */

struct library {
	char *name; /* as asked for, without folders: "libfoo.so.1" */
	char *path; /* NULL: not found */
};

struct libraries {
	struct library *items;
	size_t count;
	char *problem; /* NULL, or why the loader could not be asked; then there are no items */
};

/*
 * Asks `loader` (PT_INTERP) with --list, in folder `cwd` (NULL: here) and with nothing but the
 * given environment. Nothing of the program runs. Freed with libraries_free.
 */
void libraries_resolve(const char *loader, const char *program, const char *cwd,
		       const struct settings *env, struct libraries *libraries);
void libraries_free(struct libraries *libraries);

/* Reads what a loader prints for --list; for tests. `text` is changed. */
void libraries_parse(char *text, struct libraries *libraries);

#endif

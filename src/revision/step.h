#ifndef ASSAY_REVISION_STEP_H
#define ASSAY_REVISION_STEP_H

#include "base/error.h"

/*
 * Commands that may take long: a checkout, a build. With our own environment but for what would
 * lead git to another repository (GIT_DIR, …), and with SOURCE_DATE_EPOCH where it is not set, so that
 * __DATE__ is the same in all builds; stdin is empty. Processes that a command leaves behind are ended.
 */
struct step {
	const char *folder;           /* where it runs */
	const char *log;              /* stdout and stderr, in order; written anew */
	const char *token;            /* in its environment, for a warden (session/leftovers.h) */
	const volatile int *interrupted; /* ends it when it becomes true */
};

/* A shell's command. -1 with *error: how it ended and the last lines of what it said;
 * EXIT_INTERRUPTED. */
int step_shell(const struct step *step, const char *command, struct error *error);
/* A program from its list of arguments, ended by NULL. */
int step_program(const struct step *step, const char *const *argv, struct error *error);

#endif

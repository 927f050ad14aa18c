#ifndef ASSAY_HISTORY_COMMAND_H
#define ASSAY_HISTORY_COMMAND_H

#include <jansson.h>

#include "base/buffer.h"
#include "cli/command.h"
#include "history/past.h"

/* `assay log` and `assay diff`: [--json] CASE NAME…, answered from what is stored of the case. */
struct history_command {
	const struct command *command;
	const char *needs; /* said when there are too few or too many arguments */
	int names;         /* after the case */
	/* A new reference, NULL with *error. */
	json_t *(*document)(const struct past *past, char *const *names, struct error *error);
	void (*put)(const json_t *document, struct buffer *out); /* in words */
};

int history_command_run(const struct history_command *what, int argc, char **argv);

#endif

#ifndef ASSAY_RUN_COMMAND_H
#define ASSAY_RUN_COMMAND_H

#include <string.h>

#include "base/file.h"
#include "cli/command.h"

/* A subcommand, run as `assay NAME WORDS` would be; what it printed is kept. */

extern char *run_output, *run_errors;

/* `words` are divided by single spaces. The exit code; run_output and run_errors hold until the
 * next run, or run_free. */
int run_command(const struct command *command, const char *words);
void run_free(void);

#endif

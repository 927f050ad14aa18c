#ifndef ASSAY_REVIEW_REBUILD_H
#define ASSAY_REVIEW_REBUILD_H

#include <jansson.h>

#include "base/error.h"
#include "review/side.h"

/*
 * The programs of the study in the current folder, built by its own graph. All messages of what
 * runs go to `log`; its last lines are in *error when it fails. Interruptions end it (interrupt.h).
 */

/* `assay generate`: runs the specs in their sandbox, and nothing else unless `trusted`: then also
 * the commands of their needs. */
int rebuild_generate(const char *log, bool trusted, struct error *error);
/*
 * What `rebuild_build` is going to run, as an array of shell commands: without Assay's own steps.
 * A new reference; NULL with *error.
 */
json_t *rebuild_commands(const struct side *side, struct error *error);
/* Builds all that the cases need, and looks at it (`assay check`). */
int rebuild_build(const struct side *side, const char *log, struct error *error);

/* A command line without the lock that it runs under. */
const char *rebuild_bare_command(const char *command);

#endif

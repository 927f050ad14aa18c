#ifndef ASSAY_HOST_H
#define ASSAY_HOST_H

#include <jansson.h>

#include "base/buffer.h"
#include "base/error.h"
#include "spec/study.h"

/*
 * The Lua host: runs build.ninja.lua and the specs it names in a sandbox and yields the study.
 * Calling order: host_new, host_load once, then host_eval any number of times, host_free.
 * The current folder is the study's root. Errors carry file, line and exit code 4.
 */

struct host;

struct host *host_new(void);
void host_free(struct host *host);

/* Before host_load: the study is read for its text alone, so the programs, inputs and repositories
 * that it names need not be there. */
void host_for_text(struct host *host);
/* Before host_load: the designs of all experiments become those of `assay measure --short`, 2 blocks
 * of 3 samples. */
void host_shorten(struct host *host);
/* Before host_load: no command of the study's `needs` is run; what they ask for is taken as there. */
void host_run_nothing(struct host *host);

/* Runs `entry` (build.ninja.lua). The study is owned by the host. NULL with *error. */
const struct study *host_load(struct host *host, const char *entry, struct error *error);

/*
 * Evaluates one `{{ expression }}` of an experiment's prose and appends its text.
 * `results` is the experiment's results document (docs/formats.md, "prose results"); it is seen
 * through read-only tables in which an unknown name is an error. 0, or -1 with *error at `place`.
 * When a value on the way is null in `results` the text is "unavailable" and the call returns 1.
 */
int host_eval(struct host *host, const struct experiment *experiment, const struct place *place,
	      const char *expression, const json_t *results, struct buffer *out,
	      struct error *error);

#endif

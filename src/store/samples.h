#ifndef ASSAY_SAMPLES_H
#define ASSAY_SAMPLES_H

#include <stdbool.h>

#include "base/error.h"
#include "schedule/plan.h"
#include "store/store.h"

/*
 * samples.csv (columns in docs/formats.md): derived from the logs' own bytes, which are the only
 * truth, and from the plan's names. One row a sample. Where the plan asks for counters, there is
 * counters.csv beside it (samples_counters_path), one row an event of a counted sample.
 */

/* What became of a session's records. */
struct samples_session {
	int orphans; /* records of blocks that this session did not finish */
};

struct samples_use {
	char *regime_problem;             /* NULL, or why the case's blocks may not be mixed */
	char *regime;                     /* the one that counts; "" when none is known */
	struct samples_session *sessions; /* one a session of the store */
};

/* Reading many records with patterns that are hard to match takes minutes: samples_write ends with
 * EXIT_INTERRUPTED as soon as *flag is true. NULL, at first: it does not ask. */
void samples_interrupted_by(const volatile int *flag);
/* Writes `path` when its content changed. *use may be NULL; samples_use_free. */
int samples_write(const struct store_case *store, const struct plan *plan, const char *path,
		  struct samples_use *use, struct error *error);
/* "x.csv" is "x.counters.csv"; the caller frees it. */
char *samples_counters_path(const char *samples);
void samples_use_free(struct samples_use *use);
/* A column that every file has, whatever METRIC lines there are. */
bool samples_has_column(const char *name);

#endif

#ifndef ASSAY_STORED_CASE_H
#define ASSAY_STORED_CASE_H

#include <jansson.h>

#include "analysis/judge/case.h"
#include "analysis/judge/observations.h"
#include "base/error.h"
#include "identity/identity.h"
#include "schedule/plan.h"
#include "store/store.h"

/*
 * One case's way from the store to the analysis: plan, identity and store are read, samples.csv
 * is derived, and the analysis reads that and nothing of the store but the facts about its
 * sessions, handed over as JSON.
 */
struct stored_case {
	struct plan plan;
	struct identity identity;
	struct store_case store;
	struct observations observations;
	json_t *sessions, *looks, *identical;  /* as in docs/formats.md */
	json_t *surroundings;      /* the same: the machine and the state it was in */
	json_t *counters;          /* the same; NULL: the plan asks for none */
	json_t *builds;            /* of each treatment how it was built (stored_builds.h) */
	char *regime_problem;      /* NULL: none */
	char *point_text;
	int orphans;
};

/*
 * Reads a case of this study. `samples` is where samples.csv is written; NULL: to a temporary
 * place, and nothing stays. *one is always stored_case_free-able.
 */
int stored_case_read(const char *case_id, const char *samples, struct stored_case *one,
		     struct error *error);
/*
 * As stored_case_read, of other results of the case: those under `identity`, by the plan of their
 * last session that has a sound one. When there is none, -1, and the store and its sessions are there all the
 * same.
 */
int stored_case_read_past(const char *case_id, const struct identity *identity,
			  struct stored_case *one, struct error *error);
/* The looks of the ledger again, after one was added. */
int stored_case_read_looks(struct stored_case *one, struct error *error);
void stored_case_free(struct stored_case *one);

/* The document of build/stats/C.json; a new reference. */
json_t *stored_case_analyse(const struct stored_case *one, const struct case_options *options);

/* Analyses it as its design says and writes build/stats/C.json. */
int stored_case_write(const struct stored_case *one, struct error *error);
/* stored_case_read and stored_case_write: that is no look. */
int stored_case_compute(const char *case_id, const char *samples, struct error *error);

#endif

#ifndef ASSAY_ANALYSIS_CASE_H
#define ASSAY_ANALYSIS_CASE_H

#include <jansson.h>

#include "analysis/judge/observations.h"
#include "schedule/plan.h"

/*
 * The analysis of one case: everything in build/stats/C.json (docs/formats.md). Pure: reads its
 * arguments, writes nothing.
 */

struct case_input {
	const struct plan *plan;       /* as generated: the chunks are not needed */
	const struct observations *observations;
	const char *identity;          /* hex */
	const char *point_text;        /* "n=16384", "" without a sweep */
	const json_t *sessions, *looks, *identical; /* arrays as in formats.md; borrowed */
	const json_t *counters;        /* counters_document.h; borrowed; NULL: none were asked for */
	const json_t *builds;          /* of each treatment how it was built (cli/stored_builds.h); borrowed,
	                                  NULL: not known */
	const char *regime_problem;    /* NULL, or why the sessions can't be analysed together */
	int orphans;
};

/* How stored data may be looked at otherwise (assay analyse). case_options_declared: as the
 * design says. */
struct case_options {
	struct collapse collapse;
	double confidence; /* of every interval; 0: 0.95, of a comparison what its stop rule leaves */
};
struct case_options case_options_declared(const struct plan *plan);

/* The blocks of the comparison that count, whether their groups ran well or not. */
int case_complete_pairs(const struct observations *observations);
/* Those of one session. */
int case_session_pairs(const struct observations *observations, int session);

/* A new object. */
json_t *case_document(const struct case_input *input, const struct case_options *options);

#endif

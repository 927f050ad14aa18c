#ifndef ASSAY_REVIEW_SIDE_H
#define ASSAY_REVIEW_SIDE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cli/stored_times.h"
#include "schedule/plan.h"

/*
 * What one side of a reproduction knows of a study: the bundle ("there") or this machine
 * ("here"). Both are read by the same function from a study's folder.
 */
struct side_case {
	char *experiment, *point_text;
	struct plan plan;          /* with the case_id */
	char *identity;            /* identity.txt; "" when it was never looked at */
	char *regime;              /* of the last session that has one; "" */
	json_t *provenance;        /* of the last session that has one, or NULL */
	struct stored_times times; /* of its groups */
	double measured_s;         /* all groups together; 0: none */
	size_t groups;             /* in the store */
};

struct side {
	json_t *study, *stats;     /* build/study.json; build/stats.json, or NULL */
	struct side_case *cases;   /* in the author's order */
	size_t count;
};

/* Reads the study of the current folder; `only` an experiment, or all for NULL. *side is always
 * side_free-able. */
int side_read(const char *only, struct side *side, struct error *error);
void side_free(struct side *side);

/* NULL when it is not among them. */
struct side_case *side_find(const struct side *side, const char *case_id);
/* Of the first case that has one; borrowed, NULL: none. */
const json_t *side_provenance(const struct side *side);

#endif

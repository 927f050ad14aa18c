#ifndef ASSAY_COMPARISON_H
#define ASSAY_COMPARISON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "analysis/judge/observations.h"
#include "analysis/pairs.h"
#include "schedule/plan.h"

/*
 * One comparison of a case: B against the baseline A, for one metric and item. Every ratio is
 * turned so that above 1 means that B is better (for times: speedup = time A / time B).
 */

/* The valid pairs of two treatments: both groups used and ok, in schedule order. */
struct pair_set {
	double *a, *b;            /* collapsed values, one a pair */
	enum pair_order *orders;  /* PAIR_AB: a was launched first */
	int *pairs, *sessions;    /* the pair's number in the schedule; its session */
	size_t count;
	size_t trimmed, samples;  /* samples the upper trim would leave out, of how many */
};

/* `b` = number of treatments takes the A/A pairs: A' against A. `item` NULL: values of the process. */
void pair_set_collect(const struct observations *all, int a, int b, bool aa, const char *item,
		      int column, struct collapse how, struct pair_set *set);
void pair_set_free(struct pair_set *set);
/* Those with numbers from `first` to `last`, as a set of its own. */
void pair_set_part(const struct pair_set *all, int first, int last, struct pair_set *part);

struct comparison_context {
	const struct plan *plan;
	const struct comparison *which;
	const char *metric;
	const char *point_text;
	const char *item;
	bool lower_is_better;
	double confidence;         /* of the primary interval */
	const struct pair_set *aa; /* the case's A/A pairs, for the noise floor */
	const char *invalid_reason; /* NULL, or why no number may be printed */
	const char *b_name;         /* NULL: the treatment's */
	const char *absent;         /* NULL, or why this item cannot be compared */
};

/* A new object, layout "comparisons" in docs/formats.md. */
json_t *comparison_document(const struct comparison_context *context, const struct pair_set *set);

/* Is its verdict faster or slower? */
bool comparison_shows_difference(const json_t *comparison);
/* Takes the verdict of a comparison document back: inconclusive, with the reason; the sentence is
 * written anew. The numbers stay. */
void comparison_withdraw(json_t *comparison, const char *metric, const char *item,
			 const char *point_text, const char *reason);

#endif

#ifndef ASSAY_SELECTION_H
#define ASSAY_SELECTION_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "schedule/plan.h"

/*
 * A part of a study, as the command line names it: some cases of an experiment by the values of
 * its sweep, some of its variants.
 */

#define SELECTION_WHERE 16

struct selection {
	const char *only;                   /* "a,b": variants; NULL: all */
	const char *sizes;                  /* "1024,4096": values of the one dimension; NULL: all */
	const char *where[SELECTION_WHERE]; /* "n=1024,4096" */
	size_t where_count;
};

/* Takes one of the options --only, --sizes, --where; false: it is none of them. *problem: NULL, or
 * what is wrong with it. */
bool selection_take(const char *option, const char *text, struct selection *selection,
		    const char **problem);
bool selection_is_whole(const struct selection *selection);

/*
 * The case ids that a name and the selection stand for, in the author's order, a new array: the
 * name is one of an experiment, of a form of one, or of a case as case_name_find takes it. Reads
 * build/study.json. NULL with *error: nothing of that name, no such dimension or value.
 */
json_t *selection_cases(const struct selection *selection, const char *name, struct error *error);
/* The same among a study's own documents, an array. */
json_t *selection_cases_of(const struct selection *selection, const json_t *studies, const char *name,
			   struct error *error);
/* study.json of the study and of its forms; a new array. NULL with *error. */
json_t *selection_studies(struct error *error);

/* Is it the name of a form, or of an experiment with several cases: asked about as a whole? */
bool selection_is_of_several(const char *name);
/* What is said about the form of an experiment; "" where it is none. Borrowed. */
const char *selection_about(const json_t *studies, const char *name);

/* *only[treatment]: is it chosen? NULL where all are. The caller frees. */
int selection_variants(const struct selection *selection, const struct plan *plan, bool **only,
		       struct error *error);

/* Leaves the comparisons among those chosen; where the plan has none, each is compared with the
 * first of them. */
void selection_compare(struct plan *plan, const bool *only);

#endif

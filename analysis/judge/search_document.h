#ifndef ASSAY_SEARCH_DOCUMENT_H
#define ASSAY_SEARCH_DOCUMENT_H

#include <jansson.h>

#include "analysis/judge/comparison.h"

/*
 * The best of several treatments (struct best_search, spec/study.h). The blocks of the plan are divided by
 * their numbers, before anything is measured: the first ones alone choose, and what the chosen one
 * comes to against the baseline is computed from the others alone. Choosing the largest of several
 * estimates picks one whose noise was lucky; the noise of the other blocks knows nothing of that.
 */

struct search_input {
	const struct comparison_context *context; /* of the item, but for `which` and `absent` */
	const struct observations *observations;
	const char *item;                         /* NULL: values of the process */
	int column;
	struct collapse collapse;
};

/* A new object, layout "search" in docs/formats.md. */
json_t *search_document(const struct search_input *input);

#endif

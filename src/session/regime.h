#ifndef ASSAY_REGIME_H
#define ASSAY_REGIME_H

#include <jansson.h>
#include <stdbool.h>

#include "base/buffer.h"

/*
 * A session's regime: the machine's state (identity/machine.h) and the libraries that its good
 * warm-up groups had mapped at their end, with their content ("library <path> = <sha256>"): a
 * program may choose them as it runs, which no identity sees. Blocks of two regimes are never
 * mixed.
 */
struct regime {
	struct buffer machine, text; /* text: machine and libraries; made by regime_text */
	char **libraries;            /* sorted, each once */
	size_t library_count;
};

void regime_begin(struct regime *regime);
void regime_end(struct regime *regime);
/* `paths`: mapped files, one a line; those that are no libraries are left out. */
void regime_add_libraries(struct regime *regime, const char *paths);
/* regime.txt; borrowed. */
const char *regime_text(struct regime *regime);
/* A new array of paths. */
json_t *regime_libraries(const struct regime *regime);
/* True when the machine's state is another one now; appends the lines that differ. */
bool regime_changed(const struct regime *regime, struct buffer *changes);

#endif

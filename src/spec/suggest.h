#ifndef ASSAY_SUGGEST_H
#define ASSAY_SUGGEST_H

#include <stddef.h>

#include "base/buffer.h"

/* What a misspelt name was probably meant to be. */

/* The name nearest to `wrong` by edit distance (a swap of neighbours is one step), or NULL when
 * none is near enough to be meant. `names` may hold NULLs; the first of equals wins. */
const char *suggest_nearest(const char *wrong, const char *const *names, size_t count);

/* Appends `; did you mean "near"?` when there is one, then `; valid: a, b, c` (at most 20). */
void suggest_append(struct buffer *out, const char *wrong, const char *const *names,
		    size_t count);

#endif

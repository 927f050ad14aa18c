#ifndef ASSAY_REVIEW_DIFFERENCE_H
#define ASSAY_REVIEW_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* What was shipped against what was made again, file by file. */

enum difference_kind {
	DIFFERENCE_NONE,      /* the same bytes */
	DIFFERENCE_CONTENT,
	DIFFERENCE_NOT_SHIPPED, /* made here, and the bundle has none */
	DIFFERENCE_NOT_MADE,  /* in the bundle, and not made here */
};

struct difference {
	char *name;           /* relative to the two folders */
	enum difference_kind kind;
	size_t line;          /* of the first difference, from 1 */
	char *shipped, *made; /* that line in each, cut and printable; NULL unless the content differs */
};

struct differences {
	struct difference *items; /* sorted by name */
	size_t count, capacity;
};

/* All files below either folder. An unreadable file is a difference. */
void differences_find(const char *shipped, const char *made, struct differences *all);
void differences_free(struct differences *all);

/* The first difference of two texts: its line, and that line in both. False when they are equal.
 * Pure. */
bool difference_first(const struct buffer *a, const struct buffer *b, size_t *line, char **line_a,
		      char **line_b);

#endif

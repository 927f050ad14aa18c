#ifndef ASSAY_COMPARE_GRID_H
#define ASSAY_COMPARE_GRID_H

#include "base/buffer.h"
#include "compare/screen.h"

/*
 * A table for a terminal: the first row holds the heads, the first column the names. Where it is
 * wider than the screen, each row becomes a list "head  value" under its name.
 */
struct grid {
	char **cells;       /* row by row */
	size_t columns, count;
};

void grid_begin(struct grid *grid, size_t columns);
/* The next cell of the row; takes the text over. */
void grid_add(struct grid *grid, char *cell);
void grid_put(struct grid *grid, const struct screen *screen, struct buffer *out);
void grid_free(struct grid *grid);

#endif

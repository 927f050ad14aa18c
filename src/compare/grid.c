#include "compare/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define GAP 2

void
grid_begin(struct grid *grid, size_t columns)
{
	memset(grid, 0, sizeof *grid);
	grid->columns = columns;
}

void
grid_add(struct grid *grid, char *cell)
{
	grid->cells = memory_resize(grid->cells, grid->count + 1, sizeof *grid->cells);
	grid->cells[grid->count++] = cell;
}

static size_t
column_width(const struct grid *grid, size_t column)
{
	size_t widest = 0, i;

	for (i = column; i < grid->count; i += grid->columns) {
		size_t width = screen_width(grid->cells[i]);

		widest = width > widest ? width : widest;
	}
	return widest;
}

static void
put_spaces(struct buffer *out, size_t count)
{
	buffer_printf(out, "%*s", (int)count, "");
}

/* Names to the left, values to the right. */
static void
put_rows(const struct grid *grid, const size_t *widths, struct buffer *out)
{
	size_t i;

	for (i = 0; i < grid->count; i++) {
		size_t column = i % grid->columns;
		size_t missing = widths[column] - screen_width(grid->cells[i]);

		if (column > 0)
			put_spaces(out, GAP + missing);
		buffer_puts(out, grid->cells[i]);
		if (column == 0)
			put_spaces(out, missing);
		if (column + 1 == grid->columns)
			buffer_putc(out, '\n');
	}
}

static void
put_lists(const struct grid *grid, struct buffer *out)
{
	size_t head_width = 0, i;

	for (i = 1; i < grid->columns; i++)
		if (screen_width(grid->cells[i]) > head_width)
			head_width = screen_width(grid->cells[i]);
	for (i = grid->columns; i < grid->count; i++) {
		const char *head = grid->cells[i % grid->columns];

		if (i % grid->columns == 0) {
			buffer_printf(out, "%s %s\n", grid->cells[i], grid->cells[0]);
			continue;
		}
		buffer_printf(out, "  %s", head);
		put_spaces(out, head_width - screen_width(head) + GAP);
		buffer_printf(out, "%s\n", grid->cells[i]);
	}
}

void
grid_put(struct grid *grid, const struct screen *screen, struct buffer *out)
{
	size_t *widths = memory_zeroed(grid->columns, sizeof *widths);
	size_t total = 0, i;

	for (i = 0; i < grid->columns; i++) {
		widths[i] = column_width(grid, i);
		total += widths[i] + (i > 0 ? GAP : 0);
	}
	if (total <= screen->columns)
		put_rows(grid, widths, out);
	else
		put_lists(grid, out);
	free(widths);
}

void
grid_free(struct grid *grid)
{
	size_t i;

	for (i = 0; i < grid->count; i++)
		free(grid->cells[i]);
	free(grid->cells);
	memset(grid, 0, sizeof *grid);
}

#include "compare/picture.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { NARROWEST = 16, WIDEST = 61, NAME_MOST = 24, TAIL = 11 };
/* So that two equal programs do not fill the picture with their noise. */
#define SMALLEST_REACH 0.01

struct signs {
	const char *background, *noise, *one, *left, *line, *right, *middle;
};
static const struct signs plain_signs = {".", ":", "|", "(", "-", ")", "o"};
static const struct signs utf8_signs = {"·", "░", "│", "├", "─", "┤", "●"};

struct axis {
	double reach;  /* log ratio at the right end; minus that at the left */
	size_t cells;  /* odd: 1 is in the middle */
};

static bool
has_interval(const struct picture_line *line)
{
	return isfinite(line->lo) && isfinite(line->hi) && line->lo > 0 && line->hi > 0;
}

static double
reach_of(const struct picture_line *lines, size_t count)
{
	double reach = SMALLEST_REACH;
	size_t i;

	for (i = 0; i < count; i++)
		if (has_interval(&lines[i])) {
			reach = fmax(reach, fmax(fabs(log(lines[i].lo)), fabs(log(lines[i].hi))));
			reach = fmax(reach, isfinite(lines[i].floor_log) ? lines[i].floor_log : 0);
		}
	return 1.1 * reach;
}

static long
cell_of(const struct axis *axis, double log_ratio)
{
	double half = (double)(axis->cells / 2);

	return lround(half + half * log_ratio / axis->reach);
}

static void
put_line(const struct picture_line *line, const struct axis *axis, const struct signs *signs,
	 struct buffer *out)
{
	long lo = cell_of(axis, log(line->lo)), hi = cell_of(axis, log(line->hi));
	long middle = cell_of(axis, log(line->value)), one = cell_of(axis, 0), i;
	long noise = isfinite(line->floor_log) ? cell_of(axis, line->floor_log) - one : -1;

	for (i = 0; i < (long)axis->cells; i++) {
		const char *sign = labs(i - one) <= noise ? signs->noise : signs->background;

		if (i == middle)
			sign = signs->middle;
		else if (i == lo)
			sign = signs->left;
		else if (i == hi)
			sign = signs->right;
		else if (i == one)
			sign = signs->one;
		else if (i > lo && i < hi)
			sign = signs->line;
		buffer_puts(out, sign);
	}
}

static size_t
name_width(const struct picture_line *lines, size_t count)
{
	size_t widest = 0, i;

	for (i = 0; i < count; i++)
		if (strlen(lines[i].name) > widest)
			widest = strlen(lines[i].name);
	return widest < NAME_MOST ? widest : NAME_MOST;
}

static char *
percent_text(double log_ratio)
{
	double percent = 100 * expm1(log_ratio);

	return memory_format(fabs(percent) < 10 ? "%+.2g %%" : "%+.0f %%", percent);
}

/* The ends of the axis under it, and what is where. */
static void
put_axis(const struct axis *axis, size_t names, struct buffer *out)
{
	char *left = percent_text(-axis->reach);
	char *right = percent_text(axis->reach);
	size_t half = axis->cells / 2;
	size_t gap = half > strlen(left) ? half - strlen(left) : 1;

	buffer_printf(out, "%*s%s%*s0%*s\n", (int)names + 2, "", left, (int)gap, "", (int)half, right);
	free(left);
	free(right);
}

bool
picture_put(const struct picture_line *lines, size_t count, const struct screen *screen,
	    struct buffer *out)
{
	const struct signs *signs = screen->utf8 ? &utf8_signs : &plain_signs;
	struct axis axis = {.reach = reach_of(lines, count)};
	size_t names = name_width(lines, count), i, drawn = 0;
	size_t room = screen->columns > names + 2 + TAIL ? screen->columns - names - 2 - TAIL : 0;

	if (room < NARROWEST)
		return false;
	axis.cells = (room < WIDEST ? room : WIDEST) / 2 * 2 - 1;
	for (i = 0; i < count; i++) {
		if (!has_interval(&lines[i]))
			continue;
		buffer_printf(out, "%-*.*s  ", (int)names, NAME_MOST, lines[i].name);
		put_line(&lines[i], &axis, signs, out);
		buffer_printf(out, "  %+.3g %%\n", 100 * (lines[i].value - 1));
		drawn++;
	}
	if (drawn > 0)
		put_axis(&axis, names, out);
	return drawn > 0;
}

#include "spec/suggest.h"

#include <string.h>

#define LONGEST 128 /* longer names are not compared */
#define LISTED 20

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment distance. */
static size_t
distance(const char *a, const char *b)
{
	size_t rows[3][LONGEST + 1];
	size_t n = strlen(a), m = strlen(b), i, j;

	for (j = 0; j <= m; j++)
		rows[0][j] = j;
	for (i = 1; i <= n; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two = rows[(i + 1) % 3];

		row[0] = i;
		for (j = 1; j <= m; j++) {
			size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;

			row[j] = least(above[j - 1] + cost, least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], two[j - 2] + 1);
		}
	}
	return rows[n % 3][m];
}

const char *
suggest_nearest(const char *wrong, const char *const *names, size_t count)
{
	const char *nearest = NULL;
	size_t i, best = strlen(wrong) / 3 + 1;

	if (strlen(wrong) > LONGEST)
		return NULL;
	for (i = 0; i < count; i++) {
		size_t d;

		if (names[i] == NULL || strlen(names[i]) > LONGEST)
			continue;
		d = distance(wrong, names[i]);
		/* All letters replaced is no likeness. */
		if (d < strlen(names[i]) && (d < best || (d == best && nearest == NULL))) {
			best = d;
			nearest = names[i];
		}
	}
	return nearest;
}

void
suggest_append(struct buffer *out, const char *wrong, const char *const *names, size_t count)
{
	const char *nearest = suggest_nearest(wrong, names, count);
	size_t i;

	if (nearest != NULL)
		buffer_printf(out, "; did you mean \"%s\"?", nearest);
	if (count == 0)
		return;
	buffer_puts(out, nearest != NULL ? " Valid:" : "; valid:");
	for (i = 0; i < count && i < LISTED; i++)
		buffer_printf(out, "%s %.60s", i > 0 ? "," : "", names[i]);
	if (count > LISTED)
		buffer_printf(out, " and %zu more", count - LISTED);
}

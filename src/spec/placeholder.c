#include "spec/placeholder.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "spec/suggest.h"

static const struct point_value *
find(const struct point *point, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < point->count; i++)
		if (strncmp(point->items[i].name, name, length) == 0 &&
		    point->items[i].name[length] == '\0')
			return &point->items[i];
	return NULL;
}

static void
explain_unknown(const struct point *point, const char *name, size_t length,
		struct buffer *problem)
{
	const char **names = memory_zeroed(point->count, sizeof *names);
	char *wrong = memory_copy_span(name, length);
	size_t i;

	for (i = 0; i < point->count; i++)
		names[i] = point->items[i].name;
	buffer_printf(problem, "{%s} is neither in the sweep nor derived", wrong);
	if (point->count == 0)
		buffer_puts(problem, "; there is no sweep");
	suggest_append(problem, wrong, names, point->count);
	buffer_puts(problem, " ({{ and }} stand for plain braces)");
	free(wrong);
	free(names);
}

/* At a `{` that is no `{{`; behind the `}`, or NULL with the reason. */
static const char *
fill_one(const char *at, const struct point *point, struct buffer *out, struct buffer *problem)
{
	size_t length = strcspn(at + 1, "{}");
	const struct point_value *value = find(point, at + 1, length);

	if (at[1 + length] != '}') {
		buffer_puts(problem, "a { without its }; write {{ for a plain brace");
		return NULL;
	}
	if (value == NULL) {
		explain_unknown(point, at + 1, length, problem);
		return NULL;
	}
	buffer_puts(out, value->text);
	return at + length + 2;
}

bool
placeholder_fill(const char *template, const struct point *point, struct buffer *out,
		 struct buffer *problem)
{
	const char *at = template;

	while (*at != '\0') {
		if (at[0] == at[1] && (*at == '{' || *at == '}')) {
			buffer_putc(out, *at);
			at += 2;
		} else if (*at == '{') {
			at = fill_one(at, point, out, problem);
			if (at == NULL)
				return false;
		} else if (*at == '}') {
			buffer_puts(problem, "a } without its {; write }} for a plain brace");
			return false;
		} else {
			buffer_putc(out, *at++);
		}
	}
	return true;
}

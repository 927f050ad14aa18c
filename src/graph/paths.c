#include "graph/paths.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"

void
paths_add(struct texts *paths, const char *format, ...)
{
	va_list arguments;
	char *text = NULL;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	/* Grows when the count reaches a power of two, so that no capacity need be kept. */
	if ((paths->count & (paths->count - 1)) == 0)
		paths->items = memory_resize(paths->items, paths->count > 0 ? paths->count * 2 : 1,
					     sizeof *paths->items);
	paths->items[paths->count++] = length < 0 ? memory_copy_text("") : text;
}

bool
paths_have(const struct texts *paths, const char *path)
{
	size_t i;

	for (i = 0; i < paths->count; i++)
		if (strcmp(paths->items[i], path) == 0)
			return true;
	return false;
}

void
paths_free(struct texts *paths)
{
	size_t i;

	for (i = 0; i < paths->count; i++)
		free(paths->items[i]);
	free(paths->items);
	paths->items = NULL;
	paths->count = 0;
}

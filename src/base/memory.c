#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
or_die(void *pointer)
{
	if (pointer == NULL) {
		fputs("assay: out of memory\n", stderr);
		exit(1);
	}
	return pointer;
}

void *
memory_alloc(size_t size)
{
	return or_die(malloc(size > 0 ? size : 1));
}

void *
memory_zeroed(size_t count, size_t size)
{
	return or_die(calloc(count > 0 ? count : 1, size > 0 ? size : 1));
}

void *
memory_resize(void *old, size_t count, size_t size)
{
	if (size > 0 && count > SIZE_MAX / size)
		or_die(NULL);
	return or_die(realloc(old, count * size > 0 ? count * size : 1));
}

char *
memory_copy_span(const char *text, size_t length)
{
	char *copy = memory_alloc(length + 1);

	if (length > 0)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *
memory_copy_text(const char *text)
{
	return memory_copy_span(text, strlen(text));
}

char *
memory_format(const char *format, ...)
{
	va_list arguments;
	char *text = NULL;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	return or_die(length < 0 ? NULL : text);
}

void *
memory_grow(void *items, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return items;
	*capacity = *capacity < 8 ? 8 : *capacity * 2;
	return memory_resize(items, *capacity, size);
}

#include "base/buffer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void
reserve(struct buffer *buffer, size_t more)
{
	size_t need;

	if (more > SIZE_MAX / 2 - buffer->length)
		more = SIZE_MAX - buffer->length - 1; /* memory_resize then ends the process */
	need = buffer->length + more + 1;
	if (need <= buffer->capacity)
		return;
	buffer->capacity = need < 2 * buffer->capacity ? 2 * buffer->capacity : need;
	if (buffer->capacity < 64)
		buffer->capacity = 64;
	buffer->bytes = memory_resize(buffer->bytes, buffer->capacity, 1);
}

void
buffer_append(struct buffer *buffer, const void *bytes, size_t length)
{
	reserve(buffer, length);
	if (length > 0)
		memcpy(buffer->bytes + buffer->length, bytes, length);
	buffer->length += length;
	buffer->bytes[buffer->length] = '\0';
}

void
buffer_puts(struct buffer *buffer, const char *text)
{
	buffer_append(buffer, text, strlen(text));
}

void
buffer_putc(struct buffer *buffer, char byte)
{
	buffer_append(buffer, &byte, 1);
}

void
buffer_printf(struct buffer *buffer, const char *format, ...)
{
	va_list arguments, again;
	int length;

	va_start(arguments, format);
	va_copy(again, arguments);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	if (length > 0) {
		reserve(buffer, (size_t)length);
		vsnprintf(buffer->bytes + buffer->length, (size_t)length + 1, format, again);
		buffer->length += (size_t)length;
	}
	va_end(again);
}

void
buffer_clear(struct buffer *buffer)
{
	buffer->length = 0;
	if (buffer->bytes != NULL)
		buffer->bytes[0] = '\0';
}

void
buffer_free(struct buffer *buffer)
{
	free(buffer->bytes);
	*buffer = (struct buffer)BUFFER_EMPTY;
}

char *
buffer_detach(struct buffer *buffer)
{
	char *text;

	reserve(buffer, 0);
	buffer->bytes[buffer->length] = '\0';
	text = buffer->bytes;
	*buffer = (struct buffer)BUFFER_EMPTY;
	return text;
}

const char *
buffer_text(const struct buffer *buffer)
{
	return buffer->bytes != NULL ? buffer->bytes : "";
}

#ifndef ASSAY_BUFFER_H
#define ASSAY_BUFFER_H

#include <stddef.h>

/*
 * A growing string of bytes. Starts as BUFFER_EMPTY; `bytes` is NUL-terminated after the
 * first append and NULL before; the owner calls buffer_free, or takes `bytes` with
 * buffer_detach. Out of memory ends the process (memory.h).
 */
struct buffer {
	char *bytes;
	size_t length;
	size_t capacity;
};

#define BUFFER_EMPTY {NULL, 0, 0}

void buffer_append(struct buffer *buffer, const void *bytes, size_t length);
void buffer_puts(struct buffer *buffer, const char *text);
void buffer_putc(struct buffer *buffer, char byte);
void buffer_printf(struct buffer *buffer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void buffer_clear(struct buffer *buffer);
void buffer_free(struct buffer *buffer);
/* The text (never NULL), owned by the caller; the buffer is empty again. */
char *buffer_detach(struct buffer *buffer);
/* The text so far, "" when nothing was appended; borrowed. */
const char *buffer_text(const struct buffer *buffer);

#endif

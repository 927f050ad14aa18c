#ifndef ASSAY_MEMORY_H
#define ASSAY_MEMORY_H

#include <stddef.h>

/*
 * Allocation that does not return NULL: out of memory ends the process with a message and
 * exit code 1. Sizes are overflow-checked. The caller owns the result and calls free().
 */
void *memory_alloc(size_t size);
void *memory_zeroed(size_t count, size_t size);
void *memory_resize(void *old, size_t count, size_t size);
char *memory_copy_text(const char *text);
char *memory_copy_span(const char *text, size_t length);
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Makes room for one more element in an array grown by doubling:
 * items = memory_grow(items, count, &capacity, sizeof *items);
 */
void *memory_grow(void *items, size_t count, size_t *capacity, size_t size);

#endif

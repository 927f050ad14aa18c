#ifndef ASSAY_ARENA_H
#define ASSAY_ARENA_H

#include <jansson.h>
#include <stddef.h>

/*
 * Memory that is freed all at once: the study model lives in one. Nothing taken from an arena is
 * freed alone, so an error may jump over any frame that holds some. Out of memory ends the
 * process (base/memory.h).
 */

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena);

/* Zeroed. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);
char *arena_text(struct arena *arena, const char *text);
char *arena_span(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Room for one more element; the old array stays in the arena. */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size);
/* Takes the reference over; returns it. */
json_t *arena_json(struct arena *arena, json_t *value);

#endif

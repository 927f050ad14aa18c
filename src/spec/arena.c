#include "spec/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include "base/memory.h"

#define BLOCK_BYTES ((size_t)1 << 16)
#define ALIGNMENT _Alignof(max_align_t)

struct block {
	struct block *next;
	size_t used, size;
	_Alignas(max_align_t) char bytes[];
};

struct arena {
	struct block *blocks; /* the first one is being filled */
	json_t **values;
	size_t count, capacity;
};

struct arena *
arena_new(void)
{
	return memory_zeroed(1, sizeof(struct arena));
}

void
arena_free(struct arena *arena)
{
	struct block *next;
	size_t i;

	if (arena == NULL)
		return;
	for (i = 0; i < arena->count; i++)
		json_decref(arena->values[i]);
	free(arena->values);
	for (; arena->blocks != NULL; arena->blocks = next) {
		next = arena->blocks->next;
		free(arena->blocks);
	}
	free(arena);
}

static struct block *
add_block(struct arena *arena, size_t size)
{
	struct block *block = memory_alloc(sizeof *block + size);

	block->used = 0;
	block->size = size;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *
arena_alloc(struct arena *arena, size_t count, size_t size)
{
	struct block *block = arena->blocks;
	size_t bytes;
	void *room;

	if (size > 0 && count > (SIZE_MAX / 2) / size)
		return memory_zeroed(SIZE_MAX / 2, 2); /* ends the process with its message */
	bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (block == NULL || block->size - block->used < bytes)
		block = add_block(arena, bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES);
	room = block->bytes + block->used;
	block->used += bytes;
	return bytes > 0 ? memset(room, 0, bytes) : room;
}

char *
arena_span(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1, 1);

	if (length > 0)
		memcpy(copy, text, length);
	return copy;
}

char *
arena_text(struct arena *arena, const char *text)
{
	return arena_span(arena, text, strlen(text));
}

char *
arena_printf(struct arena *arena, const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	text = arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1, 1);
	va_start(arguments, format);
	vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, format, arguments);
	va_end(arguments);
	return text;
}

void *
arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size)
{
	void *grown;

	if (count < *capacity)
		return items;
	*capacity = *capacity < 8 ? 8 : *capacity * 2;
	grown = arena_alloc(arena, *capacity, size);
	if (count > 0)
		memcpy(grown, items, count * size);
	return grown;
}

json_t *
arena_json(struct arena *arena, json_t *value)
{
	arena->values = memory_grow(arena->values, arena->count, &arena->capacity,
				    sizeof *arena->values);
	arena->values[arena->count++] = value;
	return value;
}

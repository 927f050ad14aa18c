#include "graph/cycle.h"

#include <stdlib.h>

#include <jansson.h>

#include "base/buffer.h"
#include "base/memory.h"

enum state { UNSEEN, OPEN, DONE };

/* Depth first, with a stack of our own: a chain of statements may be long. */
struct search {
	const struct study *study;
	json_t *makers; /* path: which edge makes it */
	enum state *states;
	size_t *next;   /* per edge: which of its needs comes next */
	size_t *stack, depth;
};

static void
note_makers(json_t *makers, const struct texts *outputs, size_t edge)
{
	size_t i;

	for (i = 0; i < outputs->count; i++)
		json_object_set_new_nocheck(makers, outputs->items[i], json_integer((json_int_t)edge));
}

/* NULL behind the last. */
static const char *
need_of(const struct graph_edge *edge, size_t at)
{
	const struct texts *const lists[] = {&edge->inputs, &edge->implicit, &edge->order_only};
	size_t i;

	for (i = 0; i < sizeof lists / sizeof *lists; i++) {
		if (at < lists[i]->count)
			return lists[i]->items[at];
		at -= lists[i]->count;
	}
	return NULL;
}

static void
enter(struct search *search, size_t edge)
{
	search->states[edge] = OPEN;
	search->stack[search->depth++] = edge;
}

static int
tell(const struct search *search, size_t edge, struct error *error)
{
	const struct graph_edge *edges = search->study->edges;
	const struct place *place = &edges[edge].place;
	struct buffer names = BUFFER_EMPTY;
	size_t i = search->depth;

	while (search->stack[--i] != edge)
		continue;
	for (; i < search->depth; i++)
		buffer_printf(&names, "%s needs ", edges[search->stack[i]].outputs.items[0]);
	buffer_puts(&names, edges[edge].outputs.items[0]);
	error_set_at(error, EXIT_BAD_INPUT, place->file != NULL ? place->file : "", place->line,
		     "a file cannot be made from itself: %s; leave one of these out", buffer_text(&names));
	buffer_free(&names);
	return -1;
}

static int
follow(struct search *search, size_t from, struct error *error)
{
	enter(search, from);
	while (search->depth > 0) {
		size_t at = search->stack[search->depth - 1], maker;
		const char *need = need_of(&search->study->edges[at], search->next[at]++);
		const json_t *made = need != NULL ? json_object_get(search->makers, need) : NULL;

		if (need == NULL) {
			search->states[at] = DONE;
			search->depth--;
		}
		if (made == NULL)
			continue;
		maker = (size_t)json_integer_value(made);
		if (search->states[maker] == OPEN)
			return tell(search, maker, error);
		if (search->states[maker] == UNSEEN)
			enter(search, maker);
	}
	return 0;
}

int
cycle_refuse(const struct study *study, struct error *error)
{
	size_t count = study->edge_count, i;
	struct search search = {
		.study = study,
		.makers = json_object(),
		.states = memory_zeroed(count, sizeof *search.states),
		.next = memory_zeroed(count, sizeof *search.next),
		.stack = memory_zeroed(count, sizeof *search.stack),
	};
	int result = 0;

	for (i = 0; i < count; i++) {
		note_makers(search.makers, &study->edges[i].outputs, i);
		note_makers(search.makers, &study->edges[i].implicit_outputs, i);
	}
	for (i = 0; result == 0 && i < count; i++)
		if (search.states[i] == UNSEEN)
			result = follow(&search, i, error);
	json_decref(search.makers);
	free(search.states);
	free(search.next);
	free(search.stack);
	return result;
}

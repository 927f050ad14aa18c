#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "schedule/growth.h"

/*
 * Which blocks of a schedule the store has. A block is whole in a session when that session has
 * all its groups, one after the other with nothing between; the last whole attempt counts.
 */

const struct chunk *
store_chunks(const struct store_case *store, size_t *count)
{
	const struct chunk *longest = NULL;
	size_t i;

	*count = 0;
	for (i = 0; i < store->session_count; i++) {
		if (store->sessions[i].chunk_count > *count) {
			longest = store->sessions[i].chunks;
			*count = store->sessions[i].chunk_count;
		}
	}
	return longest;
}

/* The index of the first of `size` adjacent records of the block, or -1. */
static long
find_run(const struct store_session *session, int block, int size)
{
	size_t i;
	int k;

	for (i = 0; i + (size_t)size <= session->record_count; i++) {
		const struct record *first = &session->records[i];

		if (first->block != block || first->slot != 1)
			continue;
		for (k = 1; k < size; k++)
			if (first[k].block != block || first[k].slot != 1 + k ||
			    first[k].order != first->order + k || first[k].attempt != first->attempt)
				break;
		if (k == size)
			return (long)i;
	}
	return -1;
}

/* Another order or other treatments than planned are another block under the same number. */
static bool
as_planned(const struct record *records, const struct block *block)
{
	int k;

	for (k = 0; k < block->size; k++)
		if (records[k].treatment != block->treatments[k] ||
		    records[k].phase != block->phase)
			return false;
	return true;
}

const struct store_session *
store_find_block(const struct store_case *store, const struct block *block, size_t *first)
{
	size_t i;

	for (i = store->session_count; i-- > 0;) {
		const struct store_session *session = &store->sessions[i];
		long at = session->invalid ? -1 : find_run(session, block->number, block->size);

		if (at >= 0 && as_planned(&session->records[at], block)) {
			*first = (size_t)at;
			return session;
		}
	}
	return NULL;
}

enum block_state *
store_blocks(const struct store_case *store, const struct schedule *schedule)
{
	enum block_state *states = memory_zeroed(schedule->count, sizeof *states);
	size_t i, first;

	for (i = 0; i < schedule->count; i++) {
		const struct block *block = &schedule->blocks[i];
		const struct store_session *session = store_find_block(store, block, &first);
		int k;

		states[i] = session != NULL ? BLOCK_COMPLETE : BLOCK_MISSING;
		for (k = 0; session != NULL && k < block->size; k++)
			if (strcmp(session->records[first + (size_t)k].status, "ok") != 0)
				states[i] = BLOCK_FAILED;
	}
	return states;
}

const struct record **
store_block_records(const struct store_case *store, int block, int size)
{
	const struct record **records;
	size_t i;
	int k;

	for (i = store->session_count; i-- > 0;) {
		const struct store_session *session = &store->sessions[i];
		long at = session->invalid ? -1 : find_run(session, block, size);

		if (at < 0)
			continue;
		records = memory_zeroed((size_t)size, sizeof *records);
		for (k = 0; k < size; k++)
			records[k] = &session->records[at + k];
		return records;
	}
	return NULL;
}

int
store_next_attempt(const struct store_case *store, int block)
{
	int last = 0;
	size_t s, r;

	for (s = 0; s < store->session_count; s++)
		for (r = 0; r < store->sessions[s].record_count; r++)
			if (store->sessions[s].records[r].block == block &&
			    store->sessions[s].records[r].attempt > last)
				last = store->sessions[s].records[r].attempt;
	return last + 1;
}

bool
store_ended_early(const struct store_case *store)
{
	const struct store_session *last;

	if (store->session_count == 0)
		return false;
	last = &store->sessions[store->session_count - 1];
	return !last->invalid && strcmp(last->how, "max_failures") == 0;
}

static bool
left_off(const struct store_session *session, const char *rule, const struct block *block)
{
	return !session->invalid &&
	       (strcmp(session->how, "stopped") == 0 || strcmp(session->how, "budget") == 0) &&
	       strcmp(json_get_text(session->end, "rule"), rule) == 0 &&
	       (size_t)block->chunk < session->chunk_count &&
	       block->number > json_get_integer(session->end, "last_block", 0);
}

bool
store_left_off(const struct store_case *store, const struct plan *plan, const struct block *block)
{
	char *rule = growth_rule(&plan->design);
	bool found = false;
	size_t i;

	for (i = 0; i < store->session_count && !found; i++)
		found = left_off(&store->sessions[i], rule, block);
	free(rule);
	return found;
}

const char *
store_regime(const struct store_case *store, const struct schedule *schedule)
{
	const struct store_session *last = NULL;
	size_t i, first;

	for (i = 0; i < schedule->count; i++) {
		const struct store_session *session =
			store_find_block(store, &schedule->blocks[i], &first);

		if (session != NULL && (last == NULL || session->number > last->number))
			last = session;
	}
	return last != NULL ? last->regime : NULL;
}

/* All blocks that are still wanted are there, in one regime. */
static bool
all_there(const struct store_case *store, const struct plan *plan, const struct schedule *schedule)
{
	const char *regime = store_regime(store, schedule);
	size_t i, first;

	for (i = 0; i < schedule->count; i++) {
		const struct block *block = &schedule->blocks[i];
		const struct store_session *session = store_find_block(store, block, &first);

		if (session == NULL && store_left_off(store, plan, block))
			continue;
		if (session == NULL || regime == NULL || session->regime == NULL ||
		    strcmp(session->regime, regime) != 0)
			return false;
	}
	return true;
}

bool
store_is_complete(const struct store_case *store, const struct plan *plan)
{
	size_t had_count, count;
	const struct chunk *had = store_chunks(store, &had_count);
	struct chunk *chunks = schedule_chunks(plan, had, had_count, growth_pairs(plan), &count);
	struct schedule schedule;
	bool complete = false;

	if (count == had_count && store_ended_early(store)) {
		complete = true;
	} else if (count == had_count) {
		schedule_build(plan, chunks, count, &schedule);
		complete = all_there(store, plan, &schedule);
		schedule_free(&schedule);
	}
	free(chunks);
	return complete;
}

int
store_complete(const char *case_id, const char *identity_hex, const struct plan *plan,
	       bool *complete, struct error *error)
{
	struct store_case store;
	int result = store_load(case_id, identity_hex, &store, error);

	*complete = result == 0 && store_is_complete(&store, plan);
	store_free(&store);
	return result;
}

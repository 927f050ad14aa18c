#include "session/work.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "schedule/growth.h"

static void
lay_out(const struct plan *plan, const struct work_wish *wish, struct work *work)
{
	size_t had_count, i;
	const struct chunk *had = store_chunks(&work->store, &had_count);
	int wanted = growth_pairs(plan);

	if (wish->again) {
		/* One more chunk as large as the design: block and pair numbers go on, so that both
		 * times count as further pairs. */
		wanted = plan->design.pairs;
		for (i = 0; i < had_count; i++)
			wanted += had[i].pairs;
	}
	work->chunks = schedule_chunks(plan, had, had_count, wanted, &work->chunk_count);
	schedule_build(plan, work->chunks, work->chunk_count, &work->schedule);
	work->ended_early = work->chunk_count == had_count && store_ended_early(&work->store);
}

/* The regime of the block's last whole attempt is `regime`. */
static bool
taken_in(const struct work *work, const struct block *block, const char *regime)
{
	size_t first;
	const struct store_session *session = store_find_block(&work->store, block, &first);

	return session != NULL && session->regime != NULL && regime != NULL &&
	       strcmp(session->regime, regime) == 0;
}

static bool
is_mixed(const struct work *work, const enum block_state *states)
{
	const char *regime = store_regime(&work->store, &work->schedule);
	size_t i;

	for (i = 0; i < work->schedule.count; i++)
		if (states[i] != BLOCK_MISSING &&
		    !taken_in(work, &work->schedule.blocks[i], regime))
			return true;
	return false;
}

/*
 * A complete case stays as it is when the regime changes. But what is measured now must not be
 * mixed with blocks of another regime: as soon as something lacks, those lack as well. A NULL
 * regime is one not known yet.
 */
static void
choose(struct work *work, const struct plan *plan, const struct work_wish *wish, const char *regime)
{
	enum block_state *states = store_blocks(&work->store, &work->schedule);
	bool *lacks = memory_zeroed(work->schedule.count, sizeof *lacks);
	bool any = is_mixed(work, states);
	size_t i;

	work->complete = work->failed = work->other_regime = work->count = 0;
	work->pairs = 0;
	work->left_off = false;
	for (i = 0; i < work->schedule.count; i++) {
		bool left_off = states[i] == BLOCK_MISSING &&
				store_left_off(&work->store, plan, &work->schedule.blocks[i]);

		work->complete += states[i] == BLOCK_COMPLETE;
		work->failed += states[i] == BLOCK_FAILED;
		work->left_off |= left_off;
		lacks[i] = (states[i] == BLOCK_MISSING && !left_off) ||
			   (wish->retry && states[i] == BLOCK_FAILED);
		any |= lacks[i];
	}
	if (work->ended_early && !wish->retry)
		any = false;
	for (i = 0; i < work->schedule.count; i++) {
		const struct block *block = &work->schedule.blocks[i];

		if (any && !lacks[i] && states[i] != BLOCK_MISSING && regime != NULL &&
		    !taken_in(work, block, regime)) {
			lacks[i] = true;
			work->other_regime++;
		}
		if (any && lacks[i])
			work->blocks[work->count++] = block;
		else
			work->pairs += states[i] != BLOCK_MISSING && block->phase == PHASE_AB;
	}
	free(lacks);
	free(states);
}

void
work_settle(struct work *work, const struct plan *plan, const struct work_wish *wish,
	    const char *regime)
{
	choose(work, plan, wish, regime);
}

int
work_find(const struct plan *plan, const char *identity_hex, const struct work_wish *wish,
	  struct work *work, struct error *error)
{
	memset(work, 0, sizeof *work);
	if (store_load(plan->case_id, identity_hex, &work->store, error) != 0)
		return -1;
	lay_out(plan, wish, work);
	work->blocks = memory_zeroed(work->schedule.count, sizeof *work->blocks);
	choose(work, plan, wish, NULL);
	return 0;
}

void
work_free(struct work *work)
{
	schedule_free(&work->schedule);
	store_free(&work->store);
	free(work->chunks);
	free(work->blocks);
	memset(work, 0, sizeof *work);
}

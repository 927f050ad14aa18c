#include "cli/planned.h"

#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "identity/recorded.h"
#include "schedule/growth.h"

/* ---- the groups ---- */

static void
add(struct planned *planned, const struct planned_group *group)
{
	planned->groups = memory_grow(planned->groups, planned->count, &planned->capacity,
				      sizeof *planned->groups);
	planned->groups[planned->count++] = *group;
	planned->left += group->left;
}

/* A session begins with the chunk that no session before it had; so does the next one. */
static bool
begins_session(const struct planned *planned, int chunk)
{
	size_t most = 0, i;

	for (i = 0; i < planned->store.session_count; i++) {
		if (most == (size_t)chunk)
			return true;
		if (planned->store.sessions[i].chunk_count > most)
			most = planned->store.sessions[i].chunk_count;
	}
	return most == (size_t)chunk;
}

static void
add_warmups(struct planned *planned, int chunk, bool left, int *order)
{
	size_t count, i, size = plan_measured(&planned->plan, NULL);
	int *treatments = schedule_warmups(&planned->plan, &count);

	/* As a session counts them. */
	for (i = 0; i < count; i++) {
		struct planned_group group = {.order = ++*order, .chunk = chunk + 1,
				      .pair = (int)(i / size) + 1, .slot = (int)(i % size) + 1,
				      .phase = PHASE_WARMUP, .treatment = treatments[i], .left = left};

		add(planned, &group);
	}
	free(treatments);
}

static void
add_block(struct planned *planned, const struct block *block, bool left, int *order)
{
	int i;

	for (i = 0; i < block->size; i++) {
		struct planned_group group = {.order = ++*order, .chunk = block->chunk + 1,
				      .block = block->number, .pair = block->pair, .slot = i + 1,
				      .phase = block->phase, .treatment = block->treatments[i],
				      .left = left};

		add(planned, &group);
	}
}

static void
add_groups(struct planned *planned)
{
	enum block_state *states = store_blocks(&planned->store, &planned->schedule);
	const struct schedule *schedule = &planned->schedule;
	int chunk = -1, order = 0;
	size_t i;

	for (i = 0; i < schedule->count; i++) {
		const struct block *block = &schedule->blocks[i];
		bool left = states[i] == BLOCK_MISSING;

		if (left && store_left_off(&planned->store, &planned->plan, block))
			continue;
		if (block->chunk != chunk) {
			chunk = block->chunk;
			if (begins_session(planned, chunk)) {
				order = 0;
				add_warmups(planned, chunk, left, &order);
			}
		}
		add_block(planned, block, left, &order);
	}
	free(states);
}

/* ---- reading ---- */

static int
load_earlier(struct planned *planned, struct error *error)
{
	size_t count;
	struct recorded *list = recorded_list(planned->plan.case_id, &count);
	int result = count > 0 ? store_load(planned->plan.case_id, list[0].identity.hex,
					    &planned->earlier, error)
			       : 0;

	recorded_free(list, count);
	return result;
}

static int
load_store(struct planned *planned, struct error *error)
{
	char *path = memory_format("build/identity/%s", planned->plan.case_id);
	struct identity identity;
	int result = 0;

	if (file_exists(path)) {
		result = identity_read(path, &identity, error);
		if (result == 0) {
			identity_settle(&identity, &planned->plan);
			result = store_load(planned->plan.case_id, identity.hex, &planned->store,
					    error);
			identity_free(&identity);
		}
	}
	free(path);
	return result;
}

int
planned_load(const char *case_id, struct planned *planned, struct error *error)
{
	char *path = memory_format("build/plan/%s.json", case_id);
	const struct chunk *had;
	size_t had_count;
	int result;

	if (!file_exists(path))
		result = error_set(error, EXIT_BAD_INPUT,
				   "no case '%s'; 'assay status' lists the study's cases", case_id);
	else
		result = plan_read(path, &planned->plan, error);
	free(path);
	if (result != 0)
		return -1;
	if (load_store(planned, error) != 0 || load_earlier(planned, error) != 0)
		return -1;
	had = store_chunks(&planned->store, &had_count);
	planned->chunks = schedule_chunks(&planned->plan, had, had_count,
					  growth_pairs(&planned->plan), &planned->chunk_count);
	schedule_build(&planned->plan, planned->chunks, planned->chunk_count, &planned->schedule);
	add_groups(planned);
	stored_times_load(&planned->plan, &planned->earlier, &planned->times);
	return 0;
}

void
planned_free(struct planned *planned)
{
	stored_times_free(&planned->times);
	schedule_free(&planned->schedule);
	store_free(&planned->store);
	store_free(&planned->earlier);
	free(planned->chunks);
	free(planned->groups);
	plan_free(&planned->plan);
}

double
planned_expected_s(const struct planned *planned, bool left_only)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < planned->count; i++)
		if (planned->groups[i].left || !left_only)
			sum += planned->times.group_s[planned->groups[i].treatment];
	return sum;
}

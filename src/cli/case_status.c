#include "cli/case_status.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "identity/identity.h"
#include "identity/recorded.h"
#include "schedule/growth.h"
#include "schedule/schedule.h"
#include "store/store.h"
#include "store/whole.h"

const char *
case_state_name(enum case_state state)
{
	static const char *const names[] = {"fresh",       "stale",          "partial", "failed",
					    "exploratory", "never measured", "unknown"};

	return names[state];
}

static void
status_init(struct case_status *status)
{
	memset(status, 0, sizeof *status);
	status->changes = memory_copy_text("");
	status->why = memory_copy_text("");
}

static void
set_text(char **text, const char *value)
{
	free(*text);
	*text = memory_copy_text(value);
}

void
case_status_unknown(struct case_status *status, const char *why)
{
	status_init(status);
	status->state = CASE_UNKNOWN;
	set_text(&status->why, why);
}

void
case_status_free(struct case_status *status)
{
	free(status->changes);
	free(status->why);
}

/* The analysis knows, when it has seen these very results. */
static void
mark_exploratory(const char *case_id, const struct identity *identity,
		 struct case_status *status)
{
	char *path = memory_format("build/stats/%s.json", case_id);
	json_t *stats = file_exists(path) ? json_read_file(path, NULL) : NULL;

	if (strcmp(json_get_text(stats, "identity"), identity->hex) == 0 &&
	    json_is_true(json_object_get(stats, "exploratory"))) {
		status->state = CASE_EXPLORATORY;
		set_text(&status->why, json_get_text(stats, "exploratory_reason"));
	}
	json_decref(stats);
	free(path);
}

static void
count_blocks(const struct store_case *store, const struct plan *plan, struct case_status *status)
{
	size_t had_count, count, i;
	const struct chunk *had = store_chunks(store, &had_count);
	struct chunk *chunks =
		schedule_chunks(plan, had, had_count, growth_pairs(plan), &count);
	struct schedule schedule;
	enum block_state *states;

	schedule_build(plan, chunks, count, &schedule);
	states = store_blocks(store, &schedule);
	for (i = 0; i < schedule.count; i++) {
		status->planned += states[i] != BLOCK_MISSING ||
				   !store_left_off(store, plan, &schedule.blocks[i]);
		status->complete += states[i] == BLOCK_COMPLETE;
		status->failed += states[i] == BLOCK_FAILED;
	}
	free(states);
	schedule_free(&schedule);
	free(chunks);
}

/* No session under the present identity: the newest other results say why. */
static void
compare_with_newest(const struct plan *plan, const struct identity *identity,
		    struct case_status *status)
{
	struct buffer changes = BUFFER_EMPTY;
	struct recorded *list;
	size_t count, i;

	list = recorded_list(plan->case_id, &count);
	status->state = CASE_NEVER;
	for (i = 0; i < count && status->state == CASE_NEVER; i++) {
		if (strcmp(list[i].identity.hex, identity->hex) == 0)
			continue;
		status->state = CASE_STALE;
		identity_diff(list[i].identity.text, identity->text, &changes);
		set_text(&status->changes, buffer_text(&changes));
	}
	buffer_free(&changes);
	recorded_free(list, count);
}

static int
look_into_store(const struct plan *plan, const struct identity *identity,
		struct case_status *status, struct error *error)
{
	struct store_case store;
	int result = store_load(plan->case_id, identity->hex, &store, error);

	if (result == 0) {
		count_blocks(&store, plan, status);
		if (status->complete + status->failed == 0 && store.session_count == 0)
			compare_with_newest(plan, identity, status);
		else if (!store_is_complete(&store, plan))
			status->state = CASE_PARTIAL;
		else if (status->failed > 0)
			status->state = CASE_FAILED;
		else
			mark_exploratory(plan->case_id, identity, status);
	}
	store_free(&store);
	return result;
}

/* 1: the identity cannot be told, and status says why. */
static int
find_identity(struct plan *plan, struct hasher *hasher, const char *machine,
	      const char *other_machine, struct identity *identity, struct case_status *status)
{
	struct error why = {0};
	int result = identity_compute_with(hasher, machine, plan, identity, &why);

	if (other_machine[0] != '\0') {
		struct identity present = *identity;

		if (result != 0)
			identity_from_text("", &present);
		result = recorded_choose(plan->case_id, other_machine, &present, identity, &why);
		identity_free(&present);
		if (result == 0)
			identity_settle(identity, plan);
	} else if (result == 0 && whole_choose(plan, identity, &why) != 0) {
		identity_free(identity);
		result = -1;
	}
	if (result == 0)
		return 0;
	status->state = CASE_UNKNOWN;
	set_text(&status->why, why.message);
	return 1;
}

int
case_status_find(const char *case_id, struct hasher *hasher, const char *machine,
		 const char *other_machine, struct case_status *status, struct error *error)
{
	char *path = memory_format("build/plan/%s.json", case_id);
	struct identity identity;
	struct plan plan;
	int result;

	status_init(status);
	result = plan_read(path, &plan, error);
	if (result == 0) {
		if (find_identity(&plan, hasher, machine, other_machine, &identity, status) == 0) {
			result = look_into_store(&plan, &identity, status, error);
			identity_free(&identity);
		}
		plan_free(&plan);
	}
	free(path);
	return result;
}

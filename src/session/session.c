#include "session/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "identity/identity.h"
#include "provenance/capture.h"
#include "session/cpu_sets.h"
#include "session/ending.h"
#include "session/group.h"
#include "session/interrupt.h"
#include "session/progress.h"
#include "session/regime.h"
#include "session/warden.h"

enum how { HOW_COMPLETE, HOW_INTERRUPTED, HOW_MAX_FAILURES, HOW_BUDGET, HOW_STOPPED };
static const char *const how_names[] = {"complete", "interrupted", "max_failures", "budget",
					"stopped"};

/* The rest is in the records and in the report. */
#define TOLD_BAD_GROUPS 3

struct session {
	const struct session_order *asked;
	const struct plan *plan;
	struct work *work;
	char *folder;                 /* in the store */
	int number, order;            /* order: of the latest launch */
	struct staging staging;
	struct cpu_sets cpus;
	struct regime regime;
	struct progress *progress;
	int64_t groups_ns;            /* time and number of groups so far, to tell the time left */
	int groups, failures_in_a_row, bad_groups;
	size_t done;                  /* of work->blocks */
	double budget_left_s;         /* at the session's start; only where the design has one */
	char *enough;                 /* why the stop rule has enough; NULL: it has not */
};

static void
say(const struct session *session, const char *text)
{
	if (session->progress != NULL)
		progress_note(session->progress, text);
}

/* ---- beginning ---- */

static int
write_beside(const struct session *session, const char *name, const char *text,
	     struct error *error)
{
	char *path = memory_format("%s/%s", session->folder, name);
	int result = file_write(path, text, strlen(text), FILE_SYNC | FILE_NO_REPLACE, error);

	free(path);
	return result;
}

static int
write_provenance(const struct session *session, struct error *error)
{
	char *path = memory_format("%s/provenance.json", session->folder);
	json_t *provenance = capture_session(session->plan, session->folder, error);
	int result = -1;

	if (provenance != NULL)
		result = json_write_file(path, provenance, FILE_SYNC | FILE_NO_REPLACE, error);
	json_decref(provenance);
	free(path);
	return result;
}

/* The folder in the store, with the plan as this session carries it out. */
static int
begin_in_store(struct session *session, struct error *error)
{
	struct plan resolved = *session->plan;

	resolved.chunks = session->work->chunks;
	resolved.chunk_count = session->work->chunk_count;
	return store_begin_session(session->plan->case_id, session->asked->identity, &resolved,
				   session->asked->why, &session->number, &session->folder, error);
}

static int
find_cpus(struct session *session, struct error *error)
{
	char *lacking, *text;

	if (cpu_sets_find(session->plan, &session->cpus, error) != 0)
		return -1;
	lacking = cpu_sets_lacking(session->plan, &session->cpus);
	if (lacking == NULL)
		return 0;
	text = memory_format("%s: %s", session->asked->label, lacking);
	say(session, text);
	free(text);
	free(lacking);
	return 0;
}

static int
start_warden(struct session *session, struct error *error)
{
	int count;
	const int *fds = lock_descriptors(session->asked->lock, &count);

	return warden_start(session->asked->token, fds, count, error);
}

static int
begin(struct session *session, struct error *error)
{
	regime_begin(&session->regime);
	/* What can be wrong with the study comes first, so that it leaves no session behind. */
	if (find_cpus(session, error) != 0 ||
	    staging_make(session->plan, session->asked->token, &session->staging, error) != 0 ||
	    launch_prepare(error) != 0 || begin_in_store(session, error) != 0 ||
	    write_provenance(session, error) != 0 || start_warden(session, error) != 0)
		return -1;
	return 0;
}

/* ---- groups and blocks ---- */

static double
seconds_left(const struct session *session)
{
	size_t i, left = 0;

	if (session->groups == 0)
		return -1;
	for (i = session->done; i < session->work->count; i++)
		left += (size_t)session->work->blocks[i]->size;
	return (double)left * (double)session->groups_ns / session->groups / 1e9;
}

static void
show(struct session *session)
{
	const struct session_watcher *watcher = session->asked->watcher;

	if (watcher != NULL)
		watcher->show(watcher->context, (int)session->done, (int)session->work->count,
			      seconds_left(session));
	if (session->progress != NULL)
		progress_show(session->progress, (int)session->done, seconds_left(session));
}

static void
tell_bad_group(const struct session *session, const struct record *record)
{
	const struct plan *plan = session->plan;
	const char *name = plan_treatment(plan, record->treatment)->name;
	bool copy = (size_t)record->treatment >= plan->treatment_count;
	char *text;

	if (session->bad_groups > TOLD_BAD_GROUPS)
		return;
	text = memory_format("%s: group %d (%s%s) %s: %s%s", session->asked->label, record->order,
			     name, copy ? "'" : "", record->status, record->reason,
			     session->bad_groups == TOLD_BAD_GROUPS ? " (more of them are not told)" : "");
	say(session, text);
	free(text);
}

static void
count_group(struct session *session, enum group_fate fate, const struct record *record,
	    int64_t began_ns)
{
	session->groups++;
	session->groups_ns += clock_monotonic_ns() - began_ns;
	session->failures_in_a_row = fate == GROUP_BAD ? session->failures_in_a_row + 1 : 0;
	session->bad_groups += fate == GROUP_BAD;
	if (fate == GROUP_BAD)
		tell_bad_group(session, record);
	if (record->phase == PHASE_WARMUP && fate == GROUP_OK)
		regime_add_libraries(&session->regime, buffer_text(&record->result.libraries));
}

static bool
is_hopeless(const struct session *session)
{
	return session->plan->design.max_failures > 0 &&
	       session->failures_in_a_row >= session->plan->design.max_failures;
}

/* *how becomes other than HOW_COMPLETE when the session must stop after this group. */
static int
take_group(struct session *session, struct group_place *place, enum how *how,
	   struct error *error)
{
	struct group_setting setting = {
		.plan = session->plan,
		.staging = &session->staging,
		.session_folder = session->folder,
		.token = session->asked->token,
		.session = session->number,
		.cpus = session->cpus.items[place->treatment].cpus,
		.cpu_count = session->cpus.items[place->treatment].count,
		.interrupted = interrupt_flag(),
	};
	int64_t began_ns = clock_monotonic_ns();
	enum group_fate fate = GROUP_OK;
	struct record record;

	if (*interrupt_flag()) {
		*how = HOW_INTERRUPTED;
		return 0;
	}
	place->order = ++session->order;
	if (place->order > RECORD_ORDER_MAX)
		return error_set(error, EXIT_FAILED, "a session has at most %d groups",
				 RECORD_ORDER_MAX);
	if (group_run(&setting, place, &fate, &record, error) != 0)
		return -1;
	if (fate != GROUP_INTERRUPTED)
		count_group(session, fate, &record, began_ns);
	if (fate == GROUP_INTERRUPTED || *interrupt_flag())
		*how = HOW_INTERRUPTED;
	else if (is_hopeless(session))
		*how = HOW_MAX_FAILURES;
	record_free(&record);
	return 0;
}

static int
warm_up(struct session *session, enum how *how, struct error *error)
{
	size_t each = plan_measured(session->plan, NULL), count, i;
	int *treatments = schedule_warmups(session->plan, &count);
	int result = 0;

	for (i = 0; result == 0 && *how == HOW_COMPLETE && i < count; i++) {
		struct group_place place = {
			.phase = PHASE_WARMUP,
			.pair = (int)(i / each) + 1,
			.slot = (int)(i % each) + 1,
			.attempt = 1,
			.treatment = treatments[i],
		};

		result = take_group(session, &place, how, error);
	}
	free(treatments);
	return result;
}

static int
take_block(struct session *session, const struct block *block, enum how *how,
	   struct error *error)
{
	int attempt = store_next_attempt(&session->work->store, block->number);
	int slot, result = 0;

	for (slot = 0; result == 0 && *how == HOW_COMPLETE && slot < block->size; slot++) {
		struct group_place place = {
			.phase = block->phase,
			.chunk = block->chunk + 1,
			.block = block->number,
			.pair = block->pair,
			.slot = slot + 1,
			.attempt = attempt,
			.treatment = block->treatments[slot],
		};

		result = take_group(session, &place, how, error);
	}
	if (result == 0 && slot == block->size && *how != HOW_INTERRUPTED)
		session->done++;
	return result;
}

/* The regime is known once the warm-ups have loaded their libraries. */
static int
settle(struct session *session, struct error *error)
{
	const char *regime = regime_text(&session->regime);
	int result = write_beside(session, "regime.txt", regime, error);

	work_settle(session->work, session->plan, session->asked->wish, regime);
	if (session->work->other_regime > 0) {
		char *text = memory_format("%s: the machine's state or a loaded library changed since; %zu "
					   "blocks are measured again, so that all of them belong to one",
					   session->asked->label, session->work->other_regime);

		say(session, text);
		free(text);
	}
	if (session->progress != NULL)
		progress_resize(session->progress, (int)session->work->count);
	return result;
}

/* ---- stopping ---- */

/* Groups use it up, in earlier sessions too; waiting for the machine does not. */
static void
begin_budget(struct session *session)
{
	const struct store_case *store = &session->work->store;
	size_t s, r;

	session->budget_left_s = session->plan->design.budget_s;
	for (s = 0; s < store->session_count; s++)
		for (r = 0; r < store->sessions[s].record_count; r++)
			session->budget_left_s -= store->sessions[s].records[r].result.wall_us / 1e6;
}

static bool
budget_is_used_up(const struct session *session)
{
	return session->plan->design.budget_s > 0 &&
	       (double)session->groups_ns / 1e9 >= session->budget_left_s;
}

/* Whole pairs of the case now. */
static int
pairs_there(const struct session *session)
{
	int pairs = session->work->pairs;
	size_t i;

	for (i = 0; i < session->done; i++)
		pairs += session->work->blocks[i]->phase == PHASE_AB;
	return pairs;
}

static bool
pairs_are_left(const struct session *session)
{
	size_t i;

	for (i = session->done; i < session->work->count; i++)
		if (session->work->blocks[i]->phase == PHASE_AB)
			return true;
	return false;
}

/* After a block: does the case have enough, or is its time over? Where no pair is left to be
 * saved, the control is taken to its end too. */
static int
consider_stopping(struct session *session, enum how *how, struct error *error)
{
	const struct stop_rule *rule = session->asked->rule;
	int enough = 0;

	if (*how != HOW_COMPLETE || session->done == 0)
		return 0;
	if (rule != NULL && session->work->blocks[session->done - 1]->phase == PHASE_AB)
		enough = rule->has_enough(rule->context, session->plan, pairs_there(session),
					  &session->enough, error);
	if (enough < 0)
		return -1;
	if (enough > 0 && pairs_are_left(session))
		*how = HOW_STOPPED;
	else if (session->done < session->work->count && budget_is_used_up(session))
		*how = HOW_BUDGET;
	return 0;
}

/* Held exclusively from the first warm-up to the last block; others get their turn between. */
static int
take_all(struct session *session, enum how *how, struct error *error)
{
	if (lock_acquire(session->asked->lock, LOCK_EXCLUSIVE, error) != 0)
		return -1;
	show(session);
	begin_budget(session);
	if (warm_up(session, how, error) != 0 || settle(session, error) != 0)
		return -1;
	show(session);
	while (*how == HOW_COMPLETE && session->done < session->work->count) {
		if (lock_yield(session->asked->lock, error) != 0)
			return -1;
		if (*interrupt_flag())
			*how = HOW_INTERRUPTED;
		else if (take_block(session, session->work->blocks[session->done], how, error) != 0 ||
			 consider_stopping(session, how, error) != 0)
			return -1;
		show(session);
	}
	return 0;
}

/* ---- end ---- */

static int
fail_interrupted(const struct session *session, struct error *error)
{
	size_t all = session->work->schedule.count;
	size_t first = session->done < session->work->count
			       ? (size_t)session->work->blocks[session->done]->number : all;

	return error_set(error, EXIT_INTERRUPTED, "%s: interrupted; %zu of %zu blocks of this session "
			 "are complete and kept; 'ninja report' goes on from block %zu of %zu",
			 session->asked->label, session->done, session->work->count, first, all);
}

static void
report_end(struct session *session, enum how how)
{
	char *text;

	if (how == HOW_MAX_FAILURES)
		text = memory_format("%s: ended early after %d failures in a row; 'assay retry %s' tries "
				     "again", session->asked->label, session->failures_in_a_row,
				     session->plan->case_id);
	else if (how == HOW_STOPPED)
		text = memory_format("%s: stopped at %d pairs: %s", session->asked->label,
				     pairs_there(session), session->enough);
	else if (how == HOW_BUDGET)
		text = memory_format("%s: the budget of %g s is used up at %d pairs",
				     session->asked->label, session->plan->design.budget_s,
				     pairs_there(session));
	else
		text = memory_format("%s: %zu blocks measured, %d groups failed", session->asked->label,
				     session->done, session->bad_groups);
	progress_end(session->progress, text);
	session->progress = NULL;
	free(text);
}

/* Verifies while the machine is still ours, then says in the store how it ended. */
static int
end_well(struct session *session, enum how how, struct error *error)
{
	struct ending ending = {
		.folder = session->folder, .plan = session->plan, .regime = &session->regime,
		.how = how_names[how],
		.invalid = ending_why_invalid(session->plan, session->asked->identity, &session->regime),
		.last_block = session->done > 0 ? session->work->blocks[session->done - 1]->number : 0,
	};
	int result = ending_write(&ending, error);

	if (result == 0 && how == HOW_INTERRUPTED)
		result = fail_interrupted(session, error);
	else if (result == 0 && ending.invalid != NULL)
		result = error_set(error, EXIT_FAILED, "%s: session %d does not count: %s; 'ninja report' "
				   "measures again", session->asked->label, session->number, ending.invalid);
	else if (result == 0)
		report_end(session, how);
	free(ending.invalid);
	return result;
}

static void
forget(struct session *session)
{
	progress_end(session->progress, NULL);
	warden_stop();
	staging_end(&session->staging);
	regime_end(&session->regime);
	free(session->folder);
	cpu_sets_free(&session->cpus);
	free(session->enough);
}

int
session_run(const struct session_order *asked, struct error *error)
{
	struct session session = {.asked = asked, .plan = asked->plan, .work = asked->work};
	enum how how = HOW_COMPLETE;
	int result;

	if (asked->out != NULL)
		session.progress = progress_begin(asked->out, asked->label, (int)asked->work->count);
	result = begin(&session, error);
	lock_release(asked->lock);
	if (result == 0) {
		result = take_all(&session, &how, error);
		if (result != 0 && error->code == EXIT_INTERRUPTED) { /* while it waited */
			how = HOW_INTERRUPTED;
			result = 0;
		}
		if (result == 0)
			result = end_well(&session, how, error);
	}
	forget(&session);
	return result;
}

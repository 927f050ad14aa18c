#ifndef ASSAY_STORE_H
#define ASSAY_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"
#include "identity/identity.h"
#include "schedule/schedule.h"
#include "store/looks.h"
#include "store/record.h"

/*
 * results/<case_id>/<first 16 hex of the identity>/ : the raw records, append-only. What a case
 * has is decided by the content of its logs alone, never by file times; temporary files of a
 * killed session are ignored.
 */

struct store_session {
	int number;
	char *folder;              /* results/…/sessions/NNN */
	struct chunk *chunks;      /* from its plan.json */
	size_t chunk_count;
	struct record *records;    /* in launch order; damaged logs are left out (problems) */
	size_t record_count;
	char *regime;              /* regime.txt; NULL: killed before it was written */
	char *why;                 /* --again's reason; NULL otherwise */
	char *how;                 /* how it ended (end.json); "" when it was killed */
	bool finished;             /* it ended by itself: end.json is there */
	bool invalid;              /* programs or inputs changed meanwhile, or it is damaged */
	char *reason;              /* "" when there is none */
	json_t *provenance;        /* NULL when not recorded */
	json_t *end;               /* end.json or NULL */
};

/* A file that should be a record and is none: its group counts as not there. Or one of a session's
 * other files, damaged or lost: the session is invalid. */
struct store_problem {
	char *path, *reason;       /* what, and what follows from it */
};

struct store_case {
	char *folder;              /* results/<case_id>/<hex16> */
	struct store_session *sessions;
	size_t session_count;
	struct store_look *looks;
	size_t look_count;
	struct store_problem *problems;
	size_t problem_count;
	struct buffer seals;       /* seals.txt */
};

/* The state of one block of a schedule in the store. */
enum block_state {
	BLOCK_MISSING,  /* no session has all of its groups */
	BLOCK_COMPLETE, /* all groups there, adjacent, all ok (the last whole attempt) */
	BLOCK_FAILED,   /* all groups there, at least one failed or invalid */
};

/* The folder of a case's records; the caller frees. */
char *store_folder(const char *case_id, const char *identity_hex);

/* An empty store_case when nothing was measured yet. A damaged file of a session is a problem of the
 * case; -1 only for what cannot be read and a damaged or lost looks.csv. *store is always store_free-able. */
int store_load(const char *case_id, const char *identity_hex, struct store_case *store,
	       struct error *error);
void store_free(struct store_case *store);

/* The chunks all sessions agreed on so far (the longest list). Borrowed from the store. */
const struct chunk *store_chunks(const struct store_case *store, size_t *count);
/* states[i] for schedule->blocks[i]; the caller frees. Invalid sessions do not count, nor do
 * records of other treatments than the schedule's. */
enum block_state *store_blocks(const struct store_case *store, const struct schedule *schedule);
/* The session with the last whole attempt of a block, as store_blocks counts it; *first is the
 * index of its first record (the others follow). NULL: none. */
const struct store_session *store_find_block(const struct store_case *store,
					     const struct block *block, size_t *first);
/* The records of a block's last whole attempt in slot order (*size of them), or NULL. Borrowed
 * records, the array is the caller's. */
const struct record **store_block_records(const struct store_case *store, int block, int size);
/* One more than the tries at a block so far, whole or cut, in any session. */
int store_next_attempt(const struct store_case *store, int block);
/* The case was ended early by max_failures and not gone on with. */
bool store_ended_early(const struct store_case *store);
/*
 * A missing block that nobody wants any more: a session ended before it by its stop rule or its
 * budget, and the plan still declares that rule. Blocks before the end (last_block in end.json)
 * are wanted: they were lost.
 */
bool store_left_off(const struct store_case *store, const struct plan *plan,
		    const struct block *block);

/*
 * Nothing is left to measure: each block of the chunks the plan wants is complete, failed or
 * left off, in one regime, or the case ended early with these chunks.
 */
int store_complete(const char *case_id, const char *identity_hex, const struct plan *plan,
		   bool *complete, struct error *error);
bool store_is_complete(const struct store_case *store, const struct plan *plan);
/* Which session's regime the analysis uses: that of the last session with a whole block of the
 * schedule. NULL when no block is whole or its session has none recorded. Borrowed. */
const char *store_regime(const struct store_case *store, const struct schedule *schedule);

/* What a case's records rest on, in the order of the names: the folder of its sessions (also when
 * there is none), each session's folder, each file in it. `hex` is the identity. */
typedef void store_visit(void *context, const char *path);
void store_walk(const char *case_id, const char *hex, store_visit *visit, void *context);
/*
 * A cheap look (stat only) at all of them: changes when a record was added, removed or written
 * over, and after a copy of the store, when nothing did change: then ask store_complete. All zeros
 * when there is no session.
 */
void store_fingerprint(const char *case_id, const char *hex, char out[DIGEST_SHA256_HEX]);

/* Writing: makes results/…/sessions/NNN with identity.txt and plan.json (its chunks resolved by
 * the caller); *number is its number, never used before. `why` may be NULL. */
int store_begin_session(const char *case_id, const struct identity *identity,
			const struct plan *plan, const char *why, int *number, char **folder,
			struct error *error);
int store_publish(const char *session_folder, const struct record *record, struct error *error);
int store_end_session(const char *session_folder, const json_t *end, struct error *error);
/* Appends to looks.csv unless a look at that many pairs is there already. */
int store_add_look(const struct store_case *store, int pairs, const char *rule,
		   struct error *error);

#endif

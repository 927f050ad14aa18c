#ifndef ASSAY_SCHEDULE_H
#define ASSAY_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

#include "schedule/plan.h"

/*
 * The order of the groups: a pure function of (number of treatments, design, chunks). The same
 * arguments give the same schedule on every machine (GSL's mt19937).
 *
 * Orders inside the blocks are the rows of a Williams square (williams.h), in shuffled order or,
 * with `alternate`, as they come. A chunk that ends in the middle of a square leaves the rest of
 * its rows to the next chunk: with two treatments an odd chunk has one AB or BA too many and the
 * next corrects it. The A/A pairs do the same with treatments 0 and A', by themselves.
 */

enum phase { PHASE_WARMUP, PHASE_AA, PHASE_AB };
const char *phase_name(enum phase phase); /* "warmup", "aa", "ab" */
int phase_from_name(const char *name);    /* -1: no such phase */

struct block {
	enum phase phase;   /* PHASE_AA or PHASE_AB */
	int chunk;          /* from 0 */
	int number;         /* from 1 over the whole schedule: identifies the block in the store */
	int pair;           /* from 1 within the phase: the A/A pairs and the pairs count apart */
	int *treatments;    /* [size] in launch order; the number of treatments means A', the byte
			       copy of A */
	int size;           /* 2 for A/A; the number of treatments for A/B */
};

struct schedule {
	struct block *blocks;
	size_t count;
};

/*
 * Which chunks cover the wish: those the store has (`had`), plus at most one more that brings
 * the pairs up to `pairs_wanted` and the A/A pairs up to the design's. Never fewer than the
 * store has. The new chunk has at least its share of A/A pairs, design.aa_pairs / design.pairs
 * rounded up, so that what was measured later has controls of its own. The caller frees.
 */
struct chunk *schedule_chunks(const struct plan *plan, const struct chunk *had, size_t had_count,
			      int pairs_wanted, size_t *count);

/* Block numbers and contents of earlier chunks do not depend on later chunks. */
void schedule_build(const struct plan *plan, const struct chunk *chunks, size_t count,
		    struct schedule *schedule);
void schedule_free(struct schedule *schedule);

/* The treatments of the warm-up groups that a session starts with, in order; the caller frees. */
int *schedule_warmups(const struct plan *plan, size_t *count);

/* How evenly the A/B blocks of a schedule spread, for `assay plan`: the least and the most often
 * that a treatment stands at a place of the block, and that one directly follows another. */
struct balance {
	int place_least, place_most;
	int follow_least, follow_most;
};
struct balance schedule_balance(const struct schedule *schedule, int treatments);

#endif

#include "schedule/schedule.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "schedule/williams.h"

static const char *const phase_names[] = {"warmup", "aa", "ab"};

const char *
phase_name(enum phase phase)
{
	return phase_names[phase];
}

int
phase_from_name(const char *name)
{
	int i;

	for (i = 0; i < 3; i++)
		if (strcmp(phase_names[i], name) == 0)
			return i;
	return -1;
}

/* ---- chunks ---- */

/* 32 bits, since mt19937 takes no more; never 0, which GSL replaces by a seed of its own. */
static unsigned long long
chunk_seed(const struct plan *plan, size_t index)
{
	char hex[DIGEST_SHA256_HEX], *text;
	unsigned long long seed;

	text = plan->design.seed != 0
		       ? memory_format("assay schedule seed %llu chunk %zu", plan->design.seed, index)
		       : memory_format("assay schedule case %s chunk %zu", plan->case_id, index);
	digest_bytes(DIGEST_SHA256, text, strlen(text), hex);
	free(text);
	hex[8] = '\0';
	seed = strtoull(hex, NULL, 16);
	return seed != 0 ? seed : 1;
}

static int
share(const struct plan *plan, int pairs)
{
	long long aa_pairs = plan->design.aa_pairs, all = plan->design.pairs;

	return all == 0 ? 0 : (int)((aa_pairs * pairs + all - 1) / all);
}

static int
at_least(int a, int b)
{
	return a > b ? a : b;
}

struct chunk *
schedule_chunks(const struct plan *plan, const struct chunk *had, size_t had_count,
		int pairs_wanted, size_t *count)
{
	struct chunk *chunks = memory_zeroed(had_count + 1, sizeof *chunks);
	int pairs = pairs_wanted, aa_pairs = plan->design.aa_pairs;
	bool nothing = plan_measured(plan, NULL) == 0;
	size_t i;

	for (i = 0; i < had_count; i++) {
		chunks[i] = had[i];
		pairs -= had[i].pairs;
		aa_pairs -= had[i].aa_pairs;
	}
	pairs = at_least(pairs, 0);
	aa_pairs = at_least(at_least(aa_pairs, share(plan, pairs)), 0);
	*count = had_count;
	if ((pairs > 0 || aa_pairs > 0) && !nothing)
		chunks[(*count)++] = (struct chunk){pairs, aa_pairs, chunk_seed(plan, had_count)};
	return chunks;
}

/* ---- orders ---- */

/*
 * Hands out rows of the squares so that each square is used up before the next begins, over all
 * chunks. With k odd the squares alternate with their mirror images.
 */
struct rows {
	int k;
	int square;   /* how many squares are used up */
	int *left;    /* rows of the current square not handed out yet, [left_count] */
	int left_count;
};

static void
rows_init(struct rows *rows, int k)
{
	rows->k = k;
	rows->square = 0;
	rows->left = memory_zeroed((size_t)k, sizeof *rows->left);
	rows->left_count = 0;
}

static void
refill(struct rows *rows, gsl_rng *random, bool alternate)
{
	int i;

	for (i = 0; i < rows->k; i++)
		rows->left[i] = rows->square * rows->k + rows->k - 1 - i;
	if (!alternate)
		gsl_ran_shuffle(random, rows->left, (size_t)rows->k, sizeof *rows->left);
	rows->left_count = rows->k;
	rows->square = (rows->square + 1) % (williams_rows(rows->k) / rows->k);
}

/* The rows of a chunk's `count` blocks; the caller frees. */
static int *
take_rows(struct rows *rows, gsl_rng *random, bool alternate, int count)
{
	int *taken = memory_zeroed((size_t)count, sizeof *taken);
	int i;

	for (i = 0; i < count; i++) {
		if (rows->left_count == 0)
			refill(rows, random, alternate);
		taken[i] = rows->left[--rows->left_count];
	}
	if (!alternate && count > 0)
		gsl_ran_shuffle(random, taken, (size_t)count, sizeof *taken);
	return taken;
}

/* ---- blocks ---- */

/* What a schedule under construction carries from chunk to chunk. */
struct builder {
	const struct plan *plan;
	struct schedule *schedule;
	size_t capacity;
	struct rows ab, aa;
	int *numbers; /* of the treatments that the squares' rows count, [ab.k] */
	int ab_pairs, aa_pairs;
};

static struct block *
append(struct builder *builder, enum phase phase, int chunk)
{
	struct schedule *schedule = builder->schedule;
	struct block *block;

	schedule->blocks = memory_grow(schedule->blocks, schedule->count, &builder->capacity,
				       sizeof *schedule->blocks);
	block = &schedule->blocks[schedule->count++];
	block->phase = phase;
	block->chunk = chunk;
	block->number = (int)schedule->count;
	block->pair = phase == PHASE_AA ? ++builder->aa_pairs : ++builder->ab_pairs;
	block->size = phase == PHASE_AA ? 2 : builder->ab.k;
	block->treatments = memory_zeroed((size_t)block->size, sizeof *block->treatments);
	return block;
}

static void
append_ab(struct builder *builder, int chunk, int row)
{
	struct block *block = append(builder, PHASE_AB, chunk);
	int i;

	williams_row(builder->ab.k, row, block->treatments);
	for (i = 0; i < block->size; i++)
		block->treatments[i] = builder->numbers[block->treatments[i]];
}

static void
append_aa(struct builder *builder, int chunk, int row)
{
	struct block *block = append(builder, PHASE_AA, chunk);
	int i;

	williams_row(2, row, block->treatments);
	for (i = 0; i < 2; i++)
		block->treatments[i] = block->treatments[i] == 0 ? builder->numbers[0]
								 : (int)builder->plan->treatment_count;
}

/*
 * Which of the chunk's `total` blocks are A/A: one at random in each of `count` stretches of
 * (nearly) equal length, since even spacing would lock to periodic noise. The caller frees.
 */
static bool *
place_aa(const struct plan *plan, gsl_rng *random, int total, int count)
{
	bool *is_aa = memory_zeroed((size_t)total, sizeof *is_aa);
	int i;

	for (i = 0; i < count; i++) {
		long long first = (long long)i * total / count;
		long long next = (long long)(i + 1) * total / count;

		if (plan->design.aa_first)
			is_aa[i] = true;
		else
			is_aa[first + (long long)gsl_rng_uniform_int(
					      random, (unsigned long)(next - first))] = true;
	}
	return is_aa;
}

static void
append_chunk(struct builder *builder, const struct chunk *chunk, int index)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	bool alternate = builder->plan->design.alternate;
	int total = chunk->pairs + chunk->aa_pairs, ab = 0, aa = 0, i;
	int *ab_rows, *aa_rows;
	bool *is_aa;

	gsl_rng_set(random, (unsigned long)chunk->seed);
	ab_rows = take_rows(&builder->ab, random, alternate, chunk->pairs);
	aa_rows = take_rows(&builder->aa, random, alternate, chunk->aa_pairs);
	is_aa = place_aa(builder->plan, random, total, chunk->aa_pairs);
	for (i = 0; i < total; i++) {
		if (is_aa[i])
			append_aa(builder, index, aa_rows[aa++]);
		else
			append_ab(builder, index, ab_rows[ab++]);
	}
	free(ab_rows);
	free(aa_rows);
	free(is_aa);
	gsl_rng_free(random);
}

void
schedule_build(const struct plan *plan, const struct chunk *chunks, size_t count,
	       struct schedule *schedule)
{
	struct builder builder = {.plan = plan, .schedule = schedule};
	size_t i;

	*schedule = (struct schedule){NULL, 0};
	builder.numbers = memory_zeroed(plan->treatment_count, sizeof *builder.numbers);
	rows_init(&builder.ab, (int)plan_measured(plan, builder.numbers));
	rows_init(&builder.aa, 2);
	for (i = 0; i < count && builder.ab.k > 0; i++)
		append_chunk(&builder, &chunks[i], (int)i);
	free(builder.numbers);
	free(builder.ab.left);
	free(builder.aa.left);
}

void
schedule_free(struct schedule *schedule)
{
	size_t i;

	for (i = 0; i < schedule->count; i++)
		free(schedule->blocks[i].treatments);
	free(schedule->blocks);
	*schedule = (struct schedule){NULL, 0};
}

int *
schedule_warmups(const struct plan *plan, size_t *count)
{
	int *numbers = memory_zeroed(plan->treatment_count, sizeof *numbers), *treatments;
	size_t each = plan_measured(plan, numbers), i;

	*count = (size_t)plan->design.warmups * each;
	treatments = memory_zeroed(*count, sizeof *treatments);
	for (i = 0; i < *count; i++)
		treatments[i] = numbers[i % each];
	free(numbers);
	return treatments;
}

/* ---- balance ---- */

static void
count_block(const struct block *block, int k, int *places, int *follows)
{
	int i;

	for (i = 0; i < block->size; i++) {
		places[i * k + block->treatments[i]]++;
		if (i > 0)
			follows[block->treatments[i - 1] * k + block->treatments[i]]++;
	}
}

static void
widen(int count, int *least, int *most)
{
	*least = count < *least ? count : *least;
	*most = count > *most ? count : *most;
}

/* The treatments that stand somewhere; one that is skipped does not. Their number. */
static int
find_there(const int *places, int k, bool *there)
{
	int count = 0, i;

	for (i = 0; i < k * k; i++) {
		count += places[i] > 0 && !there[i % k];
		there[i % k] |= places[i] > 0;
	}
	return count;
}

struct balance
schedule_balance(const struct schedule *schedule, int treatments)
{
	struct balance balance = {INT_MAX, 0, INT_MAX, 0};
	size_t cells = (size_t)treatments * (size_t)treatments, b;
	int *places = memory_zeroed(cells, sizeof *places), i, k = treatments, count;
	int *follows = memory_zeroed(cells, sizeof *follows);
	bool *there = memory_zeroed((size_t)k, sizeof *there);

	for (b = 0; b < schedule->count; b++)
		if (schedule->blocks[b].phase == PHASE_AB)
			count_block(&schedule->blocks[b], k, places, follows);
	count = find_there(places, k, there);
	for (i = 0; i < k * k; i++) {
		if (i / k < count && there[i % k])
			widen(places[i], &balance.place_least, &balance.place_most);
		if (there[i / k] && there[i % k] && i / k != i % k)
			widen(follows[i], &balance.follow_least, &balance.follow_most);
	}
	free(places);
	free(follows);
	free(there);
	return (struct balance){count > 0 ? balance.place_least : 0, balance.place_most,
				count > 1 ? balance.follow_least : 0, balance.follow_most};
}

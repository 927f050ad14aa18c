#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schedule/schedule.h"

static char case_id[] = "fused-n_16384-0123abcd";

static struct plan
plan_of(int treatments, int pairs, int aa_pairs)
{
	struct plan plan = {.case_id = case_id, .treatment_count = (size_t)treatments};

	plan.design.pairs = pairs;
	plan.design.aa_pairs = aa_pairs;
	plan.design.warmups = 2;
	return plan;
}

static struct schedule
schedule_of(const struct plan *plan)
{
	struct schedule schedule;
	size_t count;
	struct chunk *chunks = schedule_chunks(plan, NULL, 0, plan->design.pairs, &count);

	schedule_build(plan, chunks, count, &schedule);
	free(chunks);
	return schedule;
}

static bool
same_block(const struct block *a, const struct block *b)
{
	return a->phase == b->phase && a->chunk == b->chunk && a->number == b->number &&
	       a->pair == b->pair && a->size == b->size &&
	       memcmp(a->treatments, b->treatments, (size_t)a->size * sizeof *a->treatments) == 0;
}

/* How many blocks of the phase start with A. */
static int
starting_with_a(const struct schedule *schedule, enum phase phase)
{
	int count = 0;
	size_t i;

	for (i = 0; i < schedule->count; i++)
		count += schedule->blocks[i].phase == phase &&
			 schedule->blocks[i].treatments[0] == 0;
	return count;
}

static void
phases_have_names(void **state)
{
	(void)state;
	assert_string_equal(phase_name(PHASE_WARMUP), "warmup");
	assert_int_equal(phase_from_name("aa"), PHASE_AA);
	assert_int_equal(phase_from_name("ab"), PHASE_AB);
	assert_int_equal(phase_from_name("AB"), -1);
}

static void
articles_plan_has_32_groups(void **state)
{
	struct plan plan = plan_of(2, 10, 4);
	struct schedule schedule = schedule_of(&plan);
	size_t warmups, groups = 0, i;
	int *treatments = schedule_warmups(&plan, &warmups);

	(void)state;
	assert_int_equal(warmups, 4);
	for (i = 0; i < warmups; i++)
		assert_int_equal(treatments[i], i % 2);
	for (i = 0; i < schedule.count; i++)
		groups += (size_t)schedule.blocks[i].size;
	assert_int_equal(groups, 8 + 20);
	assert_int_equal(starting_with_a(&schedule, PHASE_AB), 5);
	assert_int_equal(starting_with_a(&schedule, PHASE_AA), 2);
	free(treatments);
	schedule_free(&schedule);
}

/* The order is part of what was measured: a new version must not change it unnoticed. */
static void
order_of_a_seed_is_fixed(void **state)
{
	static const char expected[] =
		"BA BA Aa AB Aa BA BA aA AB AB BA AB aA AB ";
	struct plan plan = plan_of(2, 10, 4);
	struct schedule schedule;
	struct chunk chunk = {10, 4, 1};
	char got[64] = "";
	size_t i;

	(void)state;
	schedule_build(&plan, &chunk, 1, &schedule);
	for (i = 0; i < schedule.count; i++) {
		const struct block *block = &schedule.blocks[i];

		strcat(got, block->phase == PHASE_AA ? (block->treatments[0] == 0 ? "aA" : "Aa")
						     : (block->treatments[0] == 0 ? "AB" : "BA"));
		strcat(got, " ");
	}
	assert_string_equal(got, expected);
	schedule_free(&schedule);
}

static void
check_permutation(const struct block *block, int treatments)
{
	bool seen[16] = {false};
	int i;

	for (i = 0; i < block->size; i++) {
		int treatment = block->treatments[i];

		if (block->phase == PHASE_AA) {
			assert_true(treatment == 0 || treatment == treatments);
			assert_true(i == 0 || treatment != block->treatments[0]);
			continue;
		}
		assert_in_range(treatment, 0, treatments - 1);
		assert_false(seen[treatment]);
		seen[treatment] = true;
	}
}

static void
check_numbers(const struct schedule *schedule, int treatments)
{
	int pairs[3] = {0, 0, 0};
	size_t i;

	for (i = 0; i < schedule->count; i++) {
		const struct block *block = &schedule->blocks[i];

		assert_int_equal(block->number, i + 1);
		assert_int_equal(block->pair, ++pairs[block->phase]);
		assert_int_equal(block->size, block->phase == PHASE_AA ? 2 : treatments);
		check_permutation(block, treatments);
	}
}

#define MOST 12

/* Counted here, and not by schedule_balance, which is held against it. */
static struct balance
recount(const struct schedule *schedule, int k)
{
	int places[MOST][MOST] = {{0}}, follows[MOST][MOST] = {{0}}, i, t;
	struct balance balance = {1000000, 0, k > 1 ? 1000000 : 0, 0};
	size_t b;

	for (b = 0; b < schedule->count; b++)
		for (i = 0; schedule->blocks[b].phase == PHASE_AB && i < k; i++) {
			const int *order = schedule->blocks[b].treatments;

			places[i][order[i]]++;
			if (i > 0)
				follows[order[i - 1]][order[i]]++;
		}
	for (i = 0; i < k; i++)
		for (t = 0; t < k; t++) {
			balance.place_least = places[i][t] < balance.place_least ? places[i][t] : balance.place_least;
			balance.place_most = places[i][t] > balance.place_most ? places[i][t] : balance.place_most;
			if (i == t)
				continue;
			balance.follow_least = follows[i][t] < balance.follow_least ? follows[i][t]
										     : balance.follow_least;
			balance.follow_most = follows[i][t] > balance.follow_most ? follows[i][t]
										   : balance.follow_most;
		}
	return balance;
}

/*
 * What theory allows (Williams 1949): at each place the counts differ by at most one, and not at all
 * after whole squares of k blocks. Who directly follows whom: with k even each square has every
 * ordered pair once, so that the counts differ by at most one; with k odd it takes a square and its
 * mirror image, 2k blocks, to have every pair twice, and between them a pair may have come twice
 * or not yet.
 */
static void
check_balance(const struct schedule *schedule, int k, int pairs)
{
	struct balance balance = recount(schedule, k), told = schedule_balance(schedule, k);
	int square = k % 2 == 0 ? k : 2 * k, per_square = k % 2 == 0 ? 1 : 2;

	assert_memory_equal(&balance, &told, sizeof balance);
	assert_int_equal(balance.place_least, pairs / k);
	assert_int_equal(balance.place_most, (pairs + k - 1) / k);
	if (k == 1)
		return;
	assert_true(balance.follow_least >= pairs / square * per_square);
	assert_true(balance.follow_most <= (pairs + square - 1) / square * per_square);
	if (k % 2 == 0) {
		assert_int_equal(balance.follow_least, pairs / k);
		assert_int_equal(balance.follow_most, (pairs + k - 1) / k);
	}
}

static void
every_schedule_is_balanced(void **state)
{
	int k, pairs, alternate;

	(void)state;
	for (k = 1; k <= 12; k++)
		for (pairs = 1; pairs <= 50; pairs++)
			for (alternate = 0; alternate < 2; alternate++) {
				struct plan plan = plan_of(k, pairs, pairs / 3);
				struct schedule schedule;

				plan.design.alternate = alternate;
				schedule = schedule_of(&plan);
				assert_int_equal(schedule.count, pairs + pairs / 3);
				check_numbers(&schedule, k);
				check_balance(&schedule, k, pairs);
				schedule_free(&schedule);
			}
}

static void
aa_pairs_are_balanced(void **state)
{
	int aa_pairs;

	(void)state;
	for (aa_pairs = 0; aa_pairs < 20; aa_pairs++) {
		struct plan plan = plan_of(3, 12, aa_pairs);
		struct schedule schedule = schedule_of(&plan);
		int first = starting_with_a(&schedule, PHASE_AA);

		assert_in_range(first, aa_pairs / 2, (aa_pairs + 1) / 2);
		schedule_free(&schedule);
	}
}

static void
odd_chunk_is_corrected_by_the_next(void **state)
{
	struct plan plan = plan_of(2, 5, 1);
	unsigned long long seed;

	(void)state;
	for (seed = 1; seed < 50; seed++) {
		struct chunk chunks[] = {{5, 1, seed}, {5, 1, seed + 1000}};
		struct schedule schedule;

		schedule_build(&plan, chunks, 1, &schedule);
		assert_in_range(starting_with_a(&schedule, PHASE_AB), 2, 3);
		schedule_free(&schedule);
		schedule_build(&plan, chunks, 2, &schedule);
		assert_int_equal(starting_with_a(&schedule, PHASE_AB), 5);
		assert_int_equal(starting_with_a(&schedule, PHASE_AA), 1);
		schedule_free(&schedule);
	}
}

/* Any cutting into chunks keeps the whole as balanced as one chunk would be. */
static void
chunks_together_are_balanced(void **state)
{
	int k, size;

	(void)state;
	for (k = 2; k <= 12; k++)
		for (size = 1; size <= 7; size++) {
			struct plan plan = plan_of(k, 7 * size, 0);
			struct chunk chunks[7];
			struct schedule schedule;
			int i;

			for (i = 0; i < 7; i++)
				chunks[i] = (struct chunk){size, 1, (unsigned)(10 * k + i)};
			schedule_build(&plan, chunks, 7, &schedule);
			check_numbers(&schedule, k);
			check_balance(&schedule, k, 7 * size);
			assert_in_range(starting_with_a(&schedule, PHASE_AA), 3, 4);
			schedule_free(&schedule);
		}
}

static void
earlier_chunks_stay(void **state)
{
	struct chunk chunks[] = {{9, 2, 11}, {4, 1, 12}, {7, 3, 13}};
	int k;

	(void)state;
	for (k = 2; k <= 5; k++) {
		struct plan plan = plan_of(k, 9, 2);
		struct schedule whole, part;
		size_t count, i;

		schedule_build(&plan, chunks, 3, &whole);
		for (count = 0; count < 3; count++) {
			schedule_build(&plan, chunks, count, &part);
			for (i = 0; i < part.count; i++)
				assert_true(same_block(&part.blocks[i], &whole.blocks[i]));
			schedule_free(&part);
		}
		schedule_free(&whole);
	}
}

static void
same_arguments_give_the_same_schedule(void **state)
{
	struct plan plan = plan_of(4, 21, 5);
	struct schedule first = schedule_of(&plan), second = schedule_of(&plan);
	size_t i;

	(void)state;
	assert_int_equal(first.count, second.count);
	for (i = 0; i < first.count; i++)
		assert_true(same_block(&first.blocks[i], &second.blocks[i]));
	schedule_free(&first);
	schedule_free(&second);
}

/* One A/A pair in each stratum, and not always at the same place of it. */
static void
aa_pairs_lie_in_strata(void **state)
{
	int first_place[8] = {0};
	unsigned long long seed;

	(void)state;
	for (seed = 1; seed <= 400; seed++) {
		struct plan plan = plan_of(2, 24, 4);
		struct chunk chunk = {24, 4, seed};
		struct schedule schedule;
		int found[4] = {0};
		size_t i;

		schedule_build(&plan, &chunk, 1, &schedule);
		for (i = 0; i < schedule.count; i++)
			if (schedule.blocks[i].phase == PHASE_AA) {
				found[i / 7]++;
				if (i < 7)
					first_place[i]++;
			}
		for (i = 0; i < 4; i++)
			assert_int_equal(found[i], 1);
		schedule_free(&schedule);
	}
	for (seed = 0; seed < 7; seed++)
		assert_in_range(first_place[seed], 30, 90); /* 57 expected */
}

static void
aa_pairs_come_first_on_request(void **state)
{
	struct plan plan = plan_of(2, 10, 4);
	struct schedule schedule;
	size_t i;

	(void)state;
	plan.design.aa_first = true;
	schedule = schedule_of(&plan);
	for (i = 0; i < schedule.count; i++)
		assert_int_equal(schedule.blocks[i].phase, i < 4 ? PHASE_AA : PHASE_AB);
	schedule_free(&schedule);
}

static void
balanced_orders_are_shuffled(void **state)
{
	int first = 0, changes = 0;
	unsigned long long seed;

	(void)state;
	for (seed = 1; seed <= 400; seed++) {
		struct plan plan = plan_of(2, 10, 0);
		struct chunk chunk = {10, 0, seed};
		struct schedule schedule;
		int i;

		schedule_build(&plan, &chunk, 1, &schedule);
		first += schedule.blocks[0].treatments[0] == 0;
		for (i = 1; i < 10; i++)
			changes += schedule.blocks[i].treatments[0] !=
				   schedule.blocks[i - 1].treatments[0];
		schedule_free(&schedule);
	}
	assert_in_range(first, 160, 240);          /* 200 expected */
	assert_in_range(changes, 1850, 2150);      /* 400 * 9 * 5/9 = 2000 expected */
}

static void
alternate_alternates_over_chunks(void **state)
{
	struct plan plan = plan_of(2, 10, 0);
	struct chunk chunks[] = {{3, 0, 1}, {4, 0, 2}};
	struct schedule schedule;
	int i;

	(void)state;
	plan.design.alternate = true;
	schedule_build(&plan, chunks, 2, &schedule);
	for (i = 0; i < 7; i++)
		assert_int_equal(schedule.blocks[i].treatments[0], i % 2);
	schedule_free(&schedule);
}

static void
extending_adds_one_chunk_with_its_share(void **state)
{
	struct plan plan = plan_of(2, 16, 4);
	size_t count, again;
	struct chunk *first = schedule_chunks(&plan, NULL, 0, 16, &count), *more, *same;

	(void)state;
	assert_int_equal(count, 1);
	assert_int_equal(first[0].pairs, 16);
	assert_int_equal(first[0].aa_pairs, 4);
	plan.design.pairs = 24;
	more = schedule_chunks(&plan, first, 1, 24, &count);
	assert_int_equal(count, 2);
	assert_memory_equal(&more[0], &first[0], sizeof *first);
	assert_int_equal(more[1].pairs, 8);
	assert_int_equal(more[1].aa_pairs, 2);
	assert_int_not_equal(more[1].seed, more[0].seed);
	same = schedule_chunks(&plan, more, 2, 24, &again);
	assert_int_equal(again, 2);
	free(same);
	free(first);
	first = schedule_chunks(&plan, more, 2, 10, &again);
	assert_int_equal(again, 2);
	free(first);
	free(more);
}

static void
more_aa_pairs_alone_are_a_chunk_too(void **state)
{
	struct plan plan = plan_of(2, 16, 10);
	struct chunk had = {16, 4, 7}, *chunks;
	struct schedule schedule;
	size_t count;

	(void)state;
	chunks = schedule_chunks(&plan, &had, 1, 16, &count);
	assert_int_equal(count, 2);
	assert_int_equal(chunks[1].pairs, 0);
	assert_int_equal(chunks[1].aa_pairs, 6);
	schedule_build(&plan, chunks, count, &schedule);
	assert_int_equal(schedule.count, 26);
	assert_int_equal(schedule.blocks[25].pair, 10);
	schedule_free(&schedule);
	free(chunks);
}

static void
seed_comes_from_the_case_or_the_design(void **state)
{
	static char other[] = "fused-n_262144-0123abce";
	struct plan plan = plan_of(2, 16, 4), second = plan_of(2, 16, 4);
	size_t count;
	struct chunk *a, *b;

	(void)state;
	second.case_id = other;
	a = schedule_chunks(&plan, NULL, 0, 16, &count);
	b = schedule_chunks(&second, NULL, 0, 16, &count);
	assert_int_not_equal(a[0].seed, b[0].seed);
	assert_true(a[0].seed > 0 && a[0].seed <= UINT32_MAX);
	free(a);
	free(b);
	plan.design.seed = second.design.seed = 42;
	a = schedule_chunks(&plan, NULL, 0, 16, &count);
	b = schedule_chunks(&second, NULL, 0, 16, &count);
	assert_int_equal(a[0].seed, b[0].seed);
	free(a);
	free(b);
}

/* Numbers stay; places, balance and A are those of what is measured. */
static void
what_is_left_out_is_not_scheduled(void **state)
{
	struct plan_treatment treatments[5] = {{.left_out = true}, {.left_out = false}, {.left_out = true},
					       {.left_out = false}, {.left_out = false}};
	struct plan plan = plan_of(5, 12, 4);
	struct schedule schedule;
	struct balance balance;
	size_t count, i;
	int *warmups;

	(void)state;
	plan.treatments = treatments;
	schedule = schedule_of(&plan);
	for (i = 0; i < schedule.count; i++) {
		const struct block *block = &schedule.blocks[i];
		int sum = 0, k;

		for (k = 0; k < block->size; k++)
			sum += 1 << block->treatments[k];
		assert_int_equal(sum, block->phase == PHASE_AA ? 1 << 1 | 1 << 5 : 1 << 1 | 1 << 3 | 1 << 4);
	}
	balance = schedule_balance(&schedule, 5);
	assert_int_equal(balance.place_least, 4);
	assert_int_equal(balance.place_most, 4);
	assert_int_equal(balance.follow_least, 4);
	schedule_free(&schedule);
	warmups = schedule_warmups(&plan, &count);
	assert_int_equal(count, 6);
	assert_int_equal(warmups[0], 1);
	assert_int_equal(warmups[5], 4);
	free(warmups);
	for (i = 0; i < 5; i++)
		treatments[i].left_out = true;
	schedule = schedule_of(&plan);
	assert_int_equal(schedule.count, 0);
	schedule_free(&schedule);
	free(schedule_warmups(&plan, &count));
	assert_int_equal(count, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_have_names),
		cmocka_unit_test(articles_plan_has_32_groups),
		cmocka_unit_test(order_of_a_seed_is_fixed),
		cmocka_unit_test(every_schedule_is_balanced),
		cmocka_unit_test(aa_pairs_are_balanced),
		cmocka_unit_test(odd_chunk_is_corrected_by_the_next),
		cmocka_unit_test(chunks_together_are_balanced),
		cmocka_unit_test(earlier_chunks_stay),
		cmocka_unit_test(same_arguments_give_the_same_schedule),
		cmocka_unit_test(aa_pairs_lie_in_strata),
		cmocka_unit_test(aa_pairs_come_first_on_request),
		cmocka_unit_test(balanced_orders_are_shuffled),
		cmocka_unit_test(alternate_alternates_over_chunks),
		cmocka_unit_test(extending_adds_one_chunk_with_its_share),
		cmocka_unit_test(more_aa_pairs_alone_are_a_chunk_too),
		cmocka_unit_test(seed_comes_from_the_case_or_the_design),
		cmocka_unit_test(what_is_left_out_is_not_scheduled),
	};

	return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}

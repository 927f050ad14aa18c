/* The planner's refusal of claims that no result of the planned pairs could support. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/supportable.h"

#define MOST 8

/* `count` experiments of one case, each with one claim. */
struct world {
	struct study study;
	struct experiment experiments[MOST];
	struct study_case one;
	struct claim claims[MOST];
};

static void
world_begin(struct world *world, size_t count, const int *pairs)
{
	static char file[] = "experiments/x.lua", fast[] = "fast", plain[] = "plain";
	size_t i;

	memset(world, 0, sizeof *world);
	world->study.experiments = world->experiments;
	world->study.experiment_count = count;
	world->one.treatment_count = 2;
	for (i = 0; i < count; i++) {
		world->claims[i] = (struct claim){.kind = CLAIM_FASTER, .b = fast, .a = plain,
						  .place = {file, 10 + (int)i}};
		world->experiments[i].design.pairs = pairs[i];
		world->experiments[i].cases = &world->one;
		world->experiments[i].case_count = 1;
		world->experiments[i].claims = &world->claims[i];
		world->experiments[i].claim_count = 1;
	}
}

static void
assert_refused(const struct world *world, int line, const char *part)
{
	struct error error = {0};

	assert_int_equal(claims_supportable(&world->study, &error), -1);
	assert_int_equal(error.code, EXIT_BAD_INPUT);
	assert_string_equal(error.file, "experiments/x.lua");
	assert_int_equal(error.line, line);
	if (strstr(error.message, part) == NULL)
		fail_msg("'%s' is not in: %s", part, error.message);
}

static void
assert_fine(const struct world *world)
{
	struct error error = {0};

	if (claims_supportable(&world->study, &error) != 0)
		fail_msg("%s", error.message);
}

/* 2/C(8, 4) = 0.029 is below 5 %, 2/C(7, 4) = 0.057 is not. */
/* Those that choose support nothing: of 12 pairs 6 are left, whose smallest p is 2/C(6, 3). */
static void
what_a_search_finds_has_the_other_pairs(void **state)
{
	static char kernel[] = "kernel", best[] = "best kernel";
	struct world world;

	(void)state;
	world_begin(&world, 1, (const int[]){12});
	world.experiments[0].search = (struct best_search){.name = kernel, .share = 0.5};
	assert_fine(&world);
	world.claims[0].b = best;
	assert_refused(&world, 10, "6 pairs have no p below 0.1, and it needs p <= 0.05; plan at least 8 pairs "
				   "beside those by which the search chooses");
	world.experiments[0].search.share = 0.3;
	assert_fine(&world);
}

static void
one_claim_takes_eight_pairs(void **state)
{
	struct world world;

	(void)state;
	world_begin(&world, 1, (const int[]){8});
	assert_fine(&world);
	world_begin(&world, 1, (const int[]){7});
	assert_refused(&world, 10, "7 pairs have no p below 0.057, and it needs p <= 0.05; plan at least 8 "
				   "pairs");
	world_begin(&world, 1, (const int[]){1});
	assert_refused(&world, 10, "1 pair has no p at all");
	world_begin(&world, 0, NULL);
	assert_fine(&world);
}

/* Two claims: the first to be settled needs 0.025, which takes 9 pairs (2/C(9, 4) = 0.016). */
static void
claims_pay_for_each_other(void **state)
{
	struct world world;

	(void)state;
	world_begin(&world, 2, (const int[]){9, 9});
	assert_fine(&world);
	world_begin(&world, 2, (const int[]){8, 8});
	assert_refused(&world, 10, "needs p <= 0.025 (Holm: 2 of the study's 2 claims are to be settled at "
				   "once); plan at least 9 pairs");
}

/* The one with pairs enough can be settled first, and then the other is alone. */
static void
a_claim_that_can_be_settled_first_makes_room(void **state)
{
	struct world world;

	(void)state;
	world_begin(&world, 2, (const int[]){8, 16});
	assert_fine(&world);
	world_begin(&world, 3, (const int[]){8, 16, 6});
	assert_refused(&world, 10, "claim C1");
	world_begin(&world, 2, (const int[]){16, 6});
	assert_refused(&world, 11, "claim C2");
}

/* Sameness takes the 1 - 2 alpha interval. */
static void
equivalence_takes_fewer(void **state)
{
	struct world world;

	(void)state;
	world_begin(&world, 1, (const int[]){7});
	world.claims[0].kind = CLAIM_EQUIVALENT;
	world.claims[0].within = 0.02;
	assert_fine(&world);
	world_begin(&world, 1, (const int[]){5}); /* 2/C(5, 2) = 0.2 */
	world.claims[0].kind = CLAIM_EQUIVALENT;
	assert_refused(&world, 10, "needs p <= 0.1; plan at least 6 pairs");
}

/* A growing case may grow to its most, and has less than 5 % to spend. */
static void
a_growing_case_counts_with_its_most_and_its_level(void **state)
{
	struct world world;
	struct design *design = &world.experiments[0].design;

	(void)state;
	world_begin(&world, 1, (const int[]){4});
	design->max_pairs = 8;
	assert_fine(&world);
	world_begin(&world, 3, (const int[]){9, 9, 9});
	assert_fine(&world); /* 0.0159 <= 0.05/3 */
	design->stop = STOP_UNTIL_CI;
	design->until_ci = 0.01;
	design->max_pairs = 9;
	world.experiments[1].design = world.experiments[2].design = *design;
	assert_refused(&world, 10, "needs p <= 0.013");
	design->stop = STOP_LOOKS;
	design->looks = 3; /* O'Brien-Fleming: .0457 at the last */
	world.experiments[1].design = world.experiments[2].design = *design;
	assert_refused(&world, 10, "needs p <= 0.015");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_claim_takes_eight_pairs),
		cmocka_unit_test(what_a_search_finds_has_the_other_pairs),
		cmocka_unit_test(claims_pay_for_each_other),
		cmocka_unit_test(a_claim_that_can_be_settled_first_makes_room),
		cmocka_unit_test(equivalence_takes_fewer),
		cmocka_unit_test(a_growing_case_counts_with_its_most_and_its_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * Cases that grow: sessions on real processes with the stop rule of the design. The programs say
 * what they took, so what the rule sees is known.
 */
#include "session_fixture.h"

#include <signal.h>

#include "cli/declared_stop.h"
#include "schedule/growth.h"

/* Takes exactly as long each time. */
#define STEADY(us) "echo 'RESULT " us " 9 1e9'; echo 'CHECK 42'\n"
/* Takes 100 to 700 us, whatever it does. */
#define NOISY COUNT_LAUNCHES "echo \"RESULT $((100 + launches * 37 % 7 * 100)) 9 1e9\"; echo 'CHECK 42'\n"

static void
begin(struct plan *plan, const char *a, const char *b)
{
	begin_case(plan, 16, a, b);
}

static void
until_ci(struct plan *plan, double half_width, int max_pairs)
{
	plan->design.stop = STOP_UNTIL_CI;
	plan->design.until_ci = half_width;
	plan->design.max_pairs = max_pairs;
	write_case(plan);
}

static int
run_measure(const char *why)
{
	return finish(start(&(struct call){.why = why, .rule = &declared_stop}));
}

static void
take(void)
{
	if (run_measure(NULL) != EXIT_DONE)
		fail_msg("%s", read_file("message"));
}

/* Whole pairs of the comparison in the store; the groups of all sessions. */
static void
assert_measured(const struct plan *plan, int pairs, size_t sessions)
{
	struct store_case store;
	struct schedule schedule;
	size_t count, i, first;
	const struct chunk *chunks;
	int found = 0;

	load(&store);
	chunks = store_chunks(&store, &count);
	schedule_build(plan, chunks, count, &schedule);
	for (i = 0; i < schedule.count; i++)
		found += schedule.blocks[i].phase == PHASE_AB &&
			 store_find_block(&store, &schedule.blocks[i], &first) != NULL;
	assert_int_equal(found, pairs);
	assert_int_equal(store.session_count, sessions);
	assert_true(store_is_complete(&store, plan));
	schedule_free(&schedule);
	store_free(&store);
}

static void
assert_looks(const char *expected)
{
	struct buffer found = BUFFER_EMPTY;
	struct store_case store;
	size_t i;

	load(&store);
	for (i = 0; i < store.look_count; i++)
		buffer_printf(&found, "%d %s\n", store.looks[i].pairs, store.looks[i].rule);
	assert_string_equal(buffer_text(&found), expected);
	buffer_free(&found);
	store_free(&store);
}

/* ---- stopping ---- */

static void
stops_when_the_interval_is_narrow_enough(void **state)
{
	struct plan plan;

	(void)state;
	begin(&plan, STEADY("100"), STEADY("200"));
	until_ci(&plan, 0.01, 40);
	take();
	assert_measured(&plan, 16, 1);
	assert_ended("stopped", false);
	assert_looks("16 until_ci=0.01 max_pairs=40\n");
	take(); /* nothing lacks */
	assert_measured(&plan, 16, 1);
	plan_free(&plan);
}

static void
goes_on_while_it_is_wide_up_to_max_pairs(void **state)
{
	struct plan plan;

	(void)state;
	begin(&plan, NOISY, NOISY);
	until_ci(&plan, 0.001, 22);
	take();
	assert_measured(&plan, 22, 1);
	assert_ended("complete", false); /* its A/A pairs too */
	assert_looks("16 until_ci=0.001 max_pairs=22\n20 until_ci=0.001 max_pairs=22\n"
		     "22 until_ci=0.001 max_pairs=22\n");
	plan_free(&plan);
}

static void
does_not_stop_before_the_pairs_of_the_design(void **state)
{
	struct plan plan;

	(void)state;
	begin(&plan, STEADY("100"), STEADY("200"));
	plan.design.pairs = 18;
	until_ci(&plan, 0.01, 40);
	take();
	assert_measured(&plan, 20, 1);
	plan_free(&plan);
}

/* At the first look no exact interval exists at the level that may be spent there. */
static void
planned_looks_stop_on_a_difference(void **state)
{
	struct plan plan;

	(void)state;
	begin(&plan, STEADY("100"), STEADY("200"));
	plan.design.stop = STOP_LOOKS;
	plan.design.looks = 4;
	plan.design.pairs = 40;
	write_case(&plan);
	take();
	assert_measured(&plan, 20, 1);
	assert_ended("stopped", false);
	assert_looks("10 looks=4 pairs=40\n20 looks=4 pairs=40\n");
	plan_free(&plan);
}

static void
planned_looks_go_on_without_a_difference(void **state)
{
	struct plan plan;

	(void)state;
	begin(&plan, STEADY("100"), STEADY("100"));
	plan.design.stop = STOP_LOOKS;
	plan.design.looks = 2;
	plan.design.pairs = 12;
	write_case(&plan);
	take();
	assert_measured(&plan, 12, 1);
	assert_ended("complete", false);
	plan_free(&plan);
}

/* Each group takes longer than the whole budget. */
static void
a_budget_ends_a_case_and_a_larger_one_goes_on(void **state)
{
	struct store_case store;
	struct plan plan;

	(void)state;
	begin(&plan, STEADY("100"), STEADY("200"));
	plan.design.budget_s = 1e-6;
	write_case(&plan);
	take();
	assert_ended("budget", false);
	load(&store);
	assert_int_equal(store.sessions[0].record_count, 2 + 2); /* warm-ups and one block */
	assert_true(store_is_complete(&store, &plan));
	store_free(&store);
	take();
	assert_ended("budget", false);
	plan.design.budget_s = 3600;
	write_case(&plan);
	take();
	assert_measured(&plan, 16, 2);
	assert_ended("complete", false);
	plan_free(&plan);
}

/* ---- and going on ---- */

static void
a_changed_rule_is_asked_again(void **state)
{
	struct plan plan;

	(void)state;
	begin(&plan, NOISY, NOISY);
	until_ci(&plan, 0.99, 24);
	take();
	assert_measured(&plan, 16, 1);
	until_ci(&plan, 0.001, 24);
	take();
	assert_measured(&plan, 24, 2);
	plan_free(&plan);
}

/* 40 pairs are laid out; the rule now allows 20. */
static void
a_lowered_max_pairs_ends_inside_what_is_laid_out(void **state)
{
	struct plan plan;

	(void)state;
	begin(&plan, NOISY, NOISY);
	until_ci(&plan, 0.99, 40);
	take();
	assert_measured(&plan, 16, 1);
	until_ci(&plan, 0.001, 20);
	take();
	assert_measured(&plan, 20, 2);
	assert_ended("stopped", false);
	plan_free(&plan);
}

/* What was lost is wanted; what the rule left off is not. */
static void
a_lost_block_is_measured_again_and_no_other(void **state)
{
	struct store_case store;
	struct plan plan;
	char *path;

	(void)state;
	begin(&plan, STEADY("100"), STEADY("200"));
	until_ci(&plan, 0.01, 40);
	take();
	load(&store);
	path = text("%s/0007-%s-%d.log", store.sessions[0].folder,
		    phase_name(store.sessions[0].records[6].phase),
		    store.sessions[0].records[6].treatment);
	store_free(&store);
	assert_int_equal(unlink(path), 0);
	take();
	assert_measured(&plan, 16, 2);
	load(&store);
	assert_int_equal(store.sessions[1].record_count, 2 + 2);
	store_free(&store);
	plan_free(&plan);
}

static void
again_adds_pairs_and_asks_no_rule(void **state)
{
	struct plan plan;

	(void)state;
	begin(&plan, STEADY("100"), STEADY("200"));
	until_ci(&plan, 0.01, 40);
	take();
	assert_int_equal(run_measure("the fan was off"), EXIT_DONE);
	assert_measured(&plan, 16 + 16, 2);
	assert_ended("complete", false);
	take();
	assert_measured(&plan, 16 + 16, 2);
	plan_free(&plan);
}

/* Killed in the middle of the tenth pair or so; the rule is asked at its next look. */
static void
a_killed_session_goes_on_and_stops(void **state)
{
	const char *script = COUNT_LAUNCHES "test $launches = 25 && kill -9 $PPID && exit 1\n" STEADY("100");
	struct plan plan;

	(void)state;
	begin(&plan, script, script);
	until_ci(&plan, 0.01, 40);
	assert_int_equal(run_measure(NULL), 1000 + SIGKILL);
	take();
	assert_measured(&plan, 16, 2);
	plan_free(&plan);
}

/* ---- what is laid out ---- */

static void
all_pairs_are_laid_out_in_one_chunk(void **state)
{
	struct store_case store;
	struct plan plan;

	(void)state;
	begin(&plan, STEADY("100"), STEADY("200"));
	until_ci(&plan, 0.01, 40);
	take();
	load(&store);
	assert_int_equal(store.sessions[0].chunk_count, 1);
	assert_int_equal(store.sessions[0].chunks[0].pairs, 40);
	assert_int_equal(store.sessions[0].chunks[0].aa_pairs, 5); /* 2 for 16, rounded up */
	store_free(&store);
	plan_free(&plan);
}

static void
assert_rule(const struct design *design, const char *expected)
{
	char *rule = growth_rule(design);

	assert_string_equal(rule, expected);
	free(rule);
}

static void
the_rule_in_words_holds_all_that_decides(void **state)
{
	struct plan plan = {.treatment_count = 2, .design = {.pairs = 16}};
	struct design *design = &plan.design;

	(void)state;
	assert_rule(design, "fixed");
	assert_int_equal(growth_pairs(&plan), 16);
	design->max_pairs = 24;
	assert_rule(design, "max_pairs=24");
	assert_int_equal(growth_pairs(&plan), 16); /* more only by hand */
	assert_int_equal(growth_most_pairs(&plan), 24);
	design->stop = STOP_LOOKS;
	design->looks = 3;
	assert_rule(design, "looks=3 pairs=24");
	assert_int_equal(growth_pairs(&plan), 24);
	design->stop = STOP_UNTIL_CI;
	design->until_ci = 0.005;
	design->budget_s = 90;
	assert_rule(design, "until_ci=0.005 max_pairs=24 budget=90s");
	design->max_pairs = 0;
	assert_rule(design, "until_ci=0.005 budget=90s");
	assert_int_equal(growth_pairs(&plan), 1000);
	plan.treatment_count = 16;
	assert_int_equal(growth_pairs(&plan), 500);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_begin, fixture_end)
	const struct CMUnitTest tests[] = {
		TEST(stops_when_the_interval_is_narrow_enough),
		TEST(goes_on_while_it_is_wide_up_to_max_pairs),
		TEST(does_not_stop_before_the_pairs_of_the_design),
		TEST(planned_looks_stop_on_a_difference),
		TEST(planned_looks_go_on_without_a_difference),
		TEST(a_budget_ends_a_case_and_a_larger_one_goes_on),
		TEST(a_changed_rule_is_asked_again),
		TEST(a_lowered_max_pairs_ends_inside_what_is_laid_out),
		TEST(a_lost_block_is_measured_again_and_no_other),
		TEST(again_adds_pairs_and_asks_no_rule),
		TEST(a_killed_session_goes_on_and_stops),
		TEST(all_pairs_are_laid_out_in_one_chunk),
		TEST(the_rule_in_words_holds_all_that_decides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "session_fixture.h"

#include "session/progress.h"
#include "session/stamp.h"

/* What a session does with programs good and bad, and how a case grows. */

/* ---- a session that goes well ---- */

/* The plan of the source article: 2 warm-ups of each, 4 A/A pairs, 10 pairs: 4 + 8 + 20 = 32. */
static void
the_article_plan_is_32_groups(void **state)
{
	struct store_case store;
	struct schedule schedule;
	struct stamp stamp;
	struct plan plan;
	size_t r, b = 0;
	int phases[3] = {0};

	(void)state;
	begin_case(&plan, 10, GOOD, GOOD);
	plan.design.aa_pairs = 4;
	plan.design.warmups = 2;
	write_case(&plan);
	measure(EXIT_DONE);
	assert_each_block_once(&plan);
	load(&store);
	lay_out(&plan, &store, &schedule);
	assert_int_equal(store.session_count, 1);
	assert_int_equal(store.sessions[0].record_count, 32);
	for (r = 0; r < 32; r++) {
		const struct record *record = &store.sessions[0].records[r];

		phases[record->phase]++;
		assert_string_equal(record->status, "ok");
		assert_int_equal(record->order, (int)r + 1);
		assert_true(r == 0 || record->result.started_monotonic_ns >
					      record[-1].result.started_monotonic_ns);
		if (record->phase == PHASE_WARMUP)
			continue;
		assert_int_equal(record->block, schedule.blocks[b].number);
		assert_int_equal(record->pair, schedule.blocks[b].pair);
		assert_int_equal(record->treatment, schedule.blocks[b].treatments[record->slot - 1]);
		b += record->slot == schedule.blocks[b].size;
	}
	assert_int_equal(phases[PHASE_WARMUP], 4);
	assert_int_equal(phases[PHASE_AA], 8);
	assert_int_equal(phases[PHASE_AB], 20);
	assert_non_null(store.sessions[0].provenance);
	assert_non_null(store.sessions[0].regime);
	assert_string_equal(store.sessions[0].how, "complete");
	assert_int_equal(stamp_read(FIXTURE_CASE, &stamp, NULL), 0);
	assert_int_equal(stamp.complete, 14);
	assert_int_equal(stamp.failed, 0);
	assert_false(file_exists(text("%s/running", store.folder)));
	schedule_free(&schedule);
	store_free(&store);
	plan_free(&plan);
}

static void
a_complete_case_is_left_alone(void **state)
{
	struct plan plan;
	char *before;

	(void)state;
	begin_case(&plan, 2, GOOD COUNT_LAUNCHES, GOOD COUNT_LAUNCHES);
	measure(EXIT_DONE);
	before = snapshot("results", false);
	assert_true(strlen(before) > 1000);
	assert_int_equal(unlink("build/session/" FIXTURE_CASE), 0);
	measure(EXIT_DONE);
	assert_string_equal(snapshot("results", false), before);
	assert_true(file_exists("build/session/" FIXTURE_CASE));
	assert_string_equal(read_file("progress"), "");
	plan_free(&plan);
}

/* Path and environment length move a process's memory, so they are equal; nothing leaks in. */
static void
treatments_get_equal_surroundings(void **state)
{
	static const char look[] =
		"tr -dc '\\000' < /proc/$$/environ | wc -c; wc -c < /proc/$$/environ; printf %s \"$0\" | wc -c\n"
		"tr '\\000' '\\n' < /proc/$$/environ | grep -E '^(LC_ALL|TZ|SECRET)='\n" GOOD;
	struct setting settings[2];
	struct store_case store;
	struct plan plan;
	size_t r;

	(void)state;
	begin_case(&plan, 2, look, look);
	write_program("a_much_longer_program_name", look);
	free(plan.treatments[1].program.path);
	plan.treatments[1].program.path = memory_copy_text("a_much_longer_program_name");
	settings[0] = (struct setting){memory_copy_text("THREADS"), memory_copy_text("2")};
	settings[1] = (struct setting){memory_copy_text("X"), memory_copy_text(text("%0500d", 7))};
	plan.treatments[1].env.items = memory_zeroed(2, sizeof settings[0]);
	memcpy(plan.treatments[1].env.items, settings, sizeof settings);
	plan.treatments[1].env.count = 2;
	write_case(&plan);
	setenv("SECRET", "1", 1);
	measure(EXIT_DONE);
	unsetenv("SECRET");
	load(&store);
	assert_int_equal(store.sessions[0].record_count, 10);
	for (r = 0; r < 10; r++) {
		const struct record *record = &store.sessions[0].records[r];

		assert_int_equal(record->stdout_length, store.sessions[0].records[0].stdout_length);
		assert_memory_equal(record->stdout_bytes, store.sessions[0].records[0].stdout_bytes,
				    record->stdout_length);
	}
	assert_non_null(memmem(store.sessions[0].records[0].stdout_bytes,
			       store.sessions[0].records[0].stdout_length, "\nLC_ALL=C\nTZ=UTC\nRESULT", 23));
	store_free(&store);
	plan_free(&plan);
}

/* ---- programs that misbehave ---- */

/* B misbehaves: its groups are recorded so, A's go on, the session succeeds. */
static void
assert_b_is(const char *script, const char *status, const char *reason, void (*change)(struct plan *))
{
	struct store_case store;
	struct plan plan;
	size_t r;

	assert_int_equal(file_remove_tree("results", NULL), 0);
	begin_case(&plan, 2, GOOD, script);
	plan.check.equal = true;
	plan.design.aa_pairs = 1;
	plan.design.timeout_s = 5;
	if (change != NULL)
		change(&plan);
	write_case(&plan);
	measure(EXIT_DONE);
	load(&store);
	assert_int_equal(store.sessions[0].record_count, 2 + 2 + 4);
	for (r = 0; r < 8; r++) {
		const struct record *record = &store.sessions[0].records[r];
		bool is_b = record->treatment == 1;

		assert_string_equal(record->status, is_b ? status : "ok");
		if (is_b && strstr(record->reason, reason) == NULL)
			fail_msg("'%s' does not say '%s'", record->reason, reason);
		assert_true(record->stdout_length <= 1 << 20);
	}
	assert_true(store_is_complete(&store, &plan));
	store_free(&store);
	plan_free(&plan);
}

static void
short_timeout(struct plan *plan)
{
	plan->design.timeout_s = 0.3;
}

static void
asks_mode_and_size(struct plan *plan)
{
	plan->treatments[1].expect_mode = memory_copy_text("fused");
	plan->treatments[1].expect_len = 16;
	plan->treatments[1].expect_iters = 8;
}

static void
lowers_scale(struct plan *plan)
{
	asks_mode_and_size(plan);
	plan->treatments[1].lowers_scale = true;
}

static void
ignores_exit(struct plan *plan)
{
	plan->treatments[1].ignore_exit = true;
}

static void
wants_cycles(struct plan *plan)
{
	plan->treatments[0].ignore_exit = false;
	free(plan->primary);
	plan->primary = memory_copy_text("cycles");
	write_program("program_a", "echo 'RESULT 1 1 1'; echo 'METRIC cycles 5'; echo 'CHECK 42'\n");
}

static void
bad_programs_are_recorded_with_the_reason(void **state)
{
	(void)state;
	assert_b_is("kill -SEGV $$\n", "failed", "signal 11", NULL);
	assert_b_is("exit 3\n", "failed", "exited with 3 instead of 0", NULL);
	assert_b_is(GOOD "echo exit_code=0; echo status=ok; echo complete=1; exit 3\n", "failed",
		    "exited with 3", NULL);
	assert_b_is(GOOD "sleep 1000\n", "failed", "timeout of 0.3 s", short_timeout);
	assert_b_is("head -c 1073741824 /dev/zero\n", "failed", "output limit of 1048576", NULL);
	assert_b_is("echo 'CHECK 42'; printf 'RESULT 1 2'\n", "invalid", "RESULT", NULL);
	assert_b_is("echo 'RESULT nan 1 1'; echo 'CHECK 42'\n", "invalid", "RESULT", NULL);
	assert_b_is("echo 'RESULT -1 1 1'; echo 'CHECK 42'\n", "invalid", "RESULT", NULL);
	assert_b_is("echo hello\n", "invalid", "no result in the output", NULL);
	assert_b_is("echo 'RESULT 1 1 1'\n", "invalid", "no CHECK line", NULL);
	assert_b_is("echo 'RESULT 1 1 1'; echo 'METRIC wall_us 1'; echo 'CHECK 42'\n", "invalid",
		    "'wall_us' is taken", NULL);
	assert_b_is(GOOD, "invalid", "no METRIC cycles", wants_cycles);
}

static void
the_wrong_mode_or_size_is_invalid(void **state)
{
	(void)state;
	assert_b_is("echo 'CFG 16 8'\n" GOOD, "invalid", "no MODE line; 'fused'", asks_mode_and_size);
	assert_b_is("echo 'MODE plain'; echo 'CFG 16 8'\n" GOOD, "invalid",
		    "MODE plain answered; 'fused' was asked for", asks_mode_and_size);
	assert_b_is("echo 'MODE fused'; echo 'CFG 8 8'\n" GOOD, "invalid",
		    "CFG says 8 elements; 16 were asked for", asks_mode_and_size);
	assert_b_is("echo 'MODE fused'; echo 'CFG 16 4'\n" GOOD, "invalid",
		    "CFG says 4 iterations; 8 were asked for", asks_mode_and_size);
	assert_b_is("echo 'MODE fused'\n" GOOD, "invalid", "no CFG line", asks_mode_and_size);
	assert_b_is("echo 'MODE fused'; echo 'CFG 16 8'\n" GOOD, "ok", "", asks_mode_and_size);
	assert_b_is("echo 'MODE fused'; echo 'CFG 8 8'\n" GOOD, "ok", "", lowers_scale);
	assert_b_is(GOOD "exit 3\n", "ok", "", ignores_exit);
}

static void
nothing_a_group_starts_survives_it(void **state)
{
	(void)state;
	/* Harmless, and said so. */
	assert_b_is("setsid sleep 98731.25 &\n" GOOD, "ok", "left 1 process behind", NULL);
	assert_int_equal(count_processes("98731.25"), 0);
}

static void
a_missing_program_fails_the_edge(void **state)
{
	struct store_case store;
	struct plan plan;

	(void)state;
	begin_case(&plan, 2, GOOD, GOOD);
	assert_int_equal(unlink("program_b"), 0);
	measure(EXIT_FAILED);
	assert_non_null(strstr(read_file("message"), "program_b"));
	load(&store);
	assert_int_equal(store.session_count, 0);
	store_free(&store);
	plan_free(&plan);
}

static void
prepare_runs_before_each_group(void **state)
{
	struct store_case store;
	struct plan plan;

	(void)state;
	begin_case(&plan, 2, "cat fresh; rm fresh\n" GOOD, GOOD);
	plan.treatments[0].prepare.items = memory_zeroed(3, sizeof(char *));
	plan.treatments[0].prepare.items[0] = memory_copy_text("sh");
	plan.treatments[0].prepare.items[1] = memory_copy_text("-c");
	plan.treatments[0].prepare.items[2] = memory_copy_text("echo fresh > fresh");
	plan.treatments[0].prepare.count = 3;
	plan.treatments[1].prepare.items = memory_zeroed(1, sizeof(char *));
	plan.treatments[1].prepare.items[0] = memory_copy_text("false");
	plan.treatments[1].prepare.count = 1;
	write_case(&plan);
	measure(EXIT_DONE);
	load(&store);
	assert_memory_equal(store.sessions[0].records[0].stdout_bytes, "fresh\n", 6);
	assert_string_equal(store.sessions[0].records[0].status, "ok");
	assert_string_equal(store.sessions[0].records[1].status, "failed");
	assert_string_equal(store.sessions[0].records[1].reason, "'prepare' (false) exited with 1");
	store_free(&store);
	plan_free(&plan);
}

/* ---- failures, retries ---- */

static void
too_many_failures_in_a_row_end_the_case(void **state)
{
	struct plan plan;
	char *before;

	(void)state;
	begin_case(&plan, 4, "exit 1\n", "exit 1\n");
	plan.design.max_failures = 5;
	write_case(&plan);
	measure(EXIT_DONE);
	assert_int_equal(count_records(NULL), 5);
	assert_ended("max_failures", false);
	assert_non_null(strstr(read_file("build/session/" FIXTURE_CASE), "how=max_failures"));
	before = snapshot("results", false);
	measure(EXIT_DONE); /* not again and again */
	assert_string_equal(snapshot("results", false), before);
	assert_non_null(strstr(read_file("progress"), "assay retry"));
	plan_free(&plan);
}

/* B fails at first and is mended by something its identity does not hold. */
static void
retry_runs_failed_blocks_again(void **state)
{
	struct store_case store;
	struct schedule schedule;
	struct plan plan;
	size_t b, first;
	char *before;

	(void)state;
	begin_case(&plan, 3, GOOD, "test -e mended || exit 1\n" GOOD);
	measure(EXIT_DONE);
	assert_int_equal(count_records("failed"), 4);
	before = snapshot("results", true);
	assert_int_equal(file_write("mended", "", 0, 0, NULL), 0);
	measure(EXIT_DONE); /* failed is data: not run again unasked */
	assert_string_equal(snapshot("results", true), before);
	assert_int_equal(finish(start(&(struct call){.retry = true})), EXIT_DONE);
	load(&store);
	lay_out(&plan, &store, &schedule);
	assert_int_equal(store.session_count, 2);
	for (b = 0; b < schedule.count; b++) {
		const struct store_session *session =
			store_find_block(&store, &schedule.blocks[b], &first);
		bool ab = schedule.blocks[b].phase == PHASE_AB;

		assert_int_equal(session->number, ab ? 2 : 1);
		assert_int_equal(session->records[first].attempt, ab ? 2 : 1);
		assert_string_equal(session->records[first].status, "ok");
	}
	schedule_free(&schedule);
	store_free(&store);
	assert_int_equal(finish(start(&(struct call){.retry = true})), EXIT_DONE);
	assert_non_null(strstr(read_file("progress"), "no failed block"));
	plan_free(&plan);
}

/* ---- growing ---- */

static void
more_pairs_add_a_chunk(void **state)
{
	struct store_case store;
	struct schedule schedule;
	struct plan plan;
	char *before, *after;

	(void)state;
	begin_case(&plan, 10, GOOD, GOOD);
	plan.design.aa_pairs = 4;
	plan.design.warmups = 2;
	write_case(&plan);
	measure(EXIT_DONE);
	before = snapshot("results", true);
	plan.design.pairs = 14;
	write_case(&plan);
	measure(EXIT_DONE);
	after = snapshot("results", true);
	assert_memory_equal(after, before, strlen(before)); /* session 001 sorts first */
	assert_each_block_once(&plan);
	load(&store);
	lay_out(&plan, &store, &schedule);
	assert_int_equal(store.session_count, 2);
	assert_int_equal(store.sessions[1].chunk_count, 2);
	assert_int_equal(store.sessions[1].chunks[1].pairs, 4);
	assert_true(store.sessions[1].chunks[1].aa_pairs > 0);
	assert_int_equal(store.sessions[1].record_count,
			 4 + 8 + 2 * store.sessions[1].chunks[1].aa_pairs);
	assert_int_equal(store.sessions[1].records[0].phase, PHASE_WARMUP);
	assert_int_equal(store.sessions[1].records[4].chunk, 2);
	schedule_free(&schedule);
	store_free(&store);
	plan_free(&plan);
}

static void
again_measures_as_much_once_more(void **state)
{
	struct store_case store;
	struct schedule schedule;
	struct plan plan;
	char *before;

	(void)state;
	begin_case(&plan, 4, GOOD, GOOD);
	measure(EXIT_DONE);
	assert_int_equal(finish(start(&(struct call){.why = "the fan was off"})), EXIT_DONE);
	assert_each_block_once(&plan);
	load(&store);
	lay_out(&plan, &store, &schedule);
	assert_int_equal(store.session_count, 2);
	assert_string_equal(store.sessions[1].why, "the fan was off");
	assert_int_equal(schedule.count, 12);
	assert_int_equal(store.sessions[1].record_count, store.sessions[0].record_count);
	schedule_free(&schedule);
	store_free(&store);
	before = snapshot("results", false);
	measure(EXIT_DONE);
	assert_string_equal(snapshot("results", false), before);
	plan_free(&plan);
}

/* ---- progress ---- */

static void
assert_text(const char *label, int done, int blocks, double left, size_t columns, const char *expected)
{
	char *got = progress_text(label, done, blocks, left, columns);

	assert_string_equal(got, expected);
	assert_true(strlen(got) <= columns);
	free(got);
}

static void
progress_fits_its_line(void **state)
{
	(void)state;
	assert_text("vector/fused", 0, 32, -1, 80, "vector/fused: block 1 of 32");
	assert_text("vector/fused", 2, 32, 65, 80, "vector/fused: block 3 of 32, about 1 min 5 s left");
	assert_text("vector/fused", 2, 32, 4000, 80, "vector/fused: block 3 of 32, about 1 h 6 min left");
	assert_text("vector/fused", 32, 32, 0, 80, "vector/fused: 32 of 32 blocks");
	assert_text("a-study-with-a-long-name/and-a-long-case", 9, 32, 5, 40,
		    "a-stud..: block 10 of 32, about 5 s left");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_begin, fixture_end)
	const struct CMUnitTest tests[] = {
		TEST(the_article_plan_is_32_groups),
		TEST(a_complete_case_is_left_alone),
		TEST(treatments_get_equal_surroundings),
		TEST(bad_programs_are_recorded_with_the_reason),
		TEST(the_wrong_mode_or_size_is_invalid),
		TEST(nothing_a_group_starts_survives_it),
		TEST(a_missing_program_fails_the_edge),
		TEST(prepare_runs_before_each_group),
		TEST(too_many_failures_in_a_row_end_the_case),
		TEST(retry_runs_failed_blocks_again),
		TEST(more_pairs_add_a_chunk),
		TEST(again_measures_as_much_once_more),
		TEST(progress_fits_its_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

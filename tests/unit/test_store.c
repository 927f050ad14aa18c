#include "case_fixture.h"

#include <sys/stat.h>
#include <time.h>

#include "store/store.h"

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static struct identity identity = {.hex = HEX};

/* A plan of one chunk, 4 pairs and 2 A/A pairs, and its schedule. */
struct world {
	struct plan plan;
	struct chunk *chunks;
	size_t chunk_count;
	struct schedule schedule;
};

static void
world_begin(struct world *world)
{
	static char text_of_identity[] = "protocol = 1\n";

	identity.text = text_of_identity;
	fixture_plan(&world->plan, "process", 4);
	world->chunks = schedule_chunks(&world->plan, NULL, 0, 4, &world->chunk_count);
	schedule_build(&world->plan, world->chunks, world->chunk_count, &world->schedule);
}

static void
world_end(struct world *world)
{
	schedule_free(&world->schedule);
	free(world->chunks);
	plan_free(&world->plan);
}

static char *
begin_session(const struct world *world, const char *why, int expected)
{
	struct plan resolved = world->plan;
	struct error error = {0};
	char *folder, *kept;
	int number;

	resolved.chunks = world->chunks;
	resolved.chunk_count = world->chunk_count;
	if (store_begin_session(FIXTURE_CASE, &identity, &resolved, why, &number, &folder, &error) != 0)
		fail_msg("%s", error.message);
	assert_int_equal(number, expected);
	assert_int_equal(file_write(text("%s/provenance.json", folder), "{}\n", 3, 0, &error), 0);
	assert_int_equal(file_write(text("%s/regime.txt", folder), "kernel = 6\n", 11, 0, &error), 0);
	kept = text("%s", folder);
	free(folder);
	return kept;
}

/* Publishes the block's first `groups` groups as the session's next launches. */
static void
publish(const char *folder, int session, int *order, const struct block *block, int groups,
	const char *status)
{
	struct error error = {0};
	int slot;

	for (slot = 0; slot < groups; slot++) {
		struct record record;

		fixture_record(&record, session, ++*order, block->phase, block->number, slot + 1,
			       block->treatments[slot]);
		free(record.status);
		record.status = memory_copy_text(slot == 0 ? status : "ok");
		if (store_publish(folder, &record, &error) != 0)
			fail_msg("%s", error.message);
		record_free(&record);
	}
}

static void
end_session(const char *folder, const char *how, bool invalid)
{
	json_t *end = json_pack("{s:b, s:s, s:b, s:s}", "finished", 1, "how", how, "invalid", invalid,
				"reason", "");
	struct error error = {0};

	assert_int_equal(store_end_session(folder, end, &error), 0);
	json_decref(end);
}

static void
load(struct store_case *store)
{
	struct error error = {0};

	if (store_load(FIXTURE_CASE, HEX, store, &error) != 0)
		fail_msg("%s", error.message);
}

static enum block_state
state_of(const struct world *world, int block)
{
	enum block_state *states, state;
	struct store_case store;

	load(&store);
	states = store_blocks(&store, &world->schedule);
	state = states[block - 1];
	free(states);
	store_free(&store);
	return state;
}

static void
nothing_measured_is_empty(void **state)
{
	char fingerprint[DIGEST_SHA256_HEX];
	struct store_case store;
	struct world world;
	bool complete;

	(void)state;
	world_begin(&world);
	load(&store);
	assert_int_equal(store.session_count, 0);
	assert_int_equal(state_of(&world, 1), BLOCK_MISSING);
	store_fingerprint(FIXTURE_CASE, HEX, fingerprint);
	assert_string_equal(fingerprint, "0000000000000000000000000000000000000000000000000000000000000000");
	assert_int_equal(store_complete(FIXTURE_CASE, HEX, &world.plan, &complete, NULL), 0);
	assert_false(complete);
	assert_false(file_exists("results"));
	store_free(&store);
	world_end(&world);
}

static void
a_block_is_whole_or_missing(void **state)
{
	const struct record **records;
	struct store_case store;
	struct world world;
	size_t count;
	char *folder;
	int order = 0;

	(void)state;
	world_begin(&world);
	folder = begin_session(&world, NULL, 1);
	publish(folder, 1, &order, &world.schedule.blocks[0], 2, "ok");
	publish(folder, 1, &order, &world.schedule.blocks[1], 2, "failed");
	publish(folder, 1, &order, &world.schedule.blocks[2], 1, "ok");
	assert_int_equal(state_of(&world, 1), BLOCK_COMPLETE);
	assert_int_equal(state_of(&world, 2), BLOCK_FAILED);
	assert_int_equal(state_of(&world, 3), BLOCK_MISSING);
	load(&store);
	assert_int_equal(store.sessions[0].record_count, 5);
	assert_false(store.sessions[0].finished);
	assert_int_equal(store_next_attempt(&store, 3), 2);
	assert_int_equal(store_next_attempt(&store, 4), 1);
	store_chunks(&store, &count);
	assert_int_equal(count, world.chunk_count);
	records = store_block_records(&store, 1, 2);
	assert_non_null(records);
	assert_int_equal(records[1]->slot, 2);
	assert_int_equal(records[1]->order, 2);
	free(records);
	assert_null(store_block_records(&store, 3, 2));
	store_free(&store);
	world_end(&world);
}

/* The halves of a cut block in two sessions are no block, and neither is one with another group
 * in between, or one of other treatments. */
static void
halves_are_no_block(void **state)
{
	struct world world;
	struct block block, other;
	int order = 0, treatments[2];
	char *folder;

	(void)state;
	world_begin(&world);
	block = world.schedule.blocks[0];
	folder = begin_session(&world, NULL, 1);
	publish(folder, 1, &order, &block, 1, "ok");
	folder = begin_session(&world, NULL, 2);
	order = 0;
	other = block; /* the second half only */
	other.treatments = treatments;
	publish(folder, 2, &order, &world.schedule.blocks[1], 2, "ok");
	{
		struct record record;

		fixture_record(&record, 2, 3, block.phase, block.number, 2, block.treatments[1]);
		assert_int_equal(store_publish(folder, &record, NULL), 0);
		record_free(&record);
	}
	assert_int_equal(state_of(&world, block.number), BLOCK_MISSING);
	folder = begin_session(&world, NULL, 3);
	order = 0;
	treatments[0] = block.treatments[1];
	treatments[1] = block.treatments[0];
	publish(folder, 3, &order, &other, 2, "ok");
	assert_int_equal(state_of(&world, block.number), BLOCK_MISSING);
	folder = begin_session(&world, NULL, 4);
	order = 0;
	publish(folder, 4, &order, &block, 1, "ok");
	order = 2; /* a launch was lost between them */
	{
		struct record record;

		fixture_record(&record, 4, 3, block.phase, block.number, 2, block.treatments[1]);
		assert_int_equal(store_publish(folder, &record, NULL), 0);
		record_free(&record);
	}
	assert_int_equal(state_of(&world, block.number), BLOCK_MISSING);
	world_end(&world);
}

static void
the_last_whole_attempt_counts(void **state)
{
	struct world world;
	int order = 0;
	char *folder;

	(void)state;
	world_begin(&world);
	folder = begin_session(&world, NULL, 1);
	publish(folder, 1, &order, &world.schedule.blocks[0], 2, "failed");
	folder = begin_session(&world, NULL, 2);
	order = 0;
	publish(folder, 2, &order, &world.schedule.blocks[0], 2, "ok");
	assert_int_equal(state_of(&world, 1), BLOCK_COMPLETE);
	folder = begin_session(&world, NULL, 3);
	order = 0;
	publish(folder, 3, &order, &world.schedule.blocks[0], 1, "failed"); /* cut: no whole attempt */
	assert_int_equal(state_of(&world, 1), BLOCK_COMPLETE);
	folder = begin_session(&world, NULL, 4);
	order = 0;
	publish(folder, 4, &order, &world.schedule.blocks[0], 2, "failed");
	end_session(folder, "complete", true); /* invalid: as if it were not there */
	assert_int_equal(state_of(&world, 1), BLOCK_COMPLETE);
	world_end(&world);
}

/* What a kill leaves is ignored; what was damaged is told and measured again. */
static void
leftovers_and_damage_are_no_records(void **state)
{
	struct buffer bytes = BUFFER_EMPTY;
	struct store_case store;
	struct error error = {0};
	struct world world;
	char *folder, *log, name[64];
	int order = 0;

	(void)state;
	world_begin(&world);
	folder = begin_session(&world, NULL, 1);
	publish(folder, 1, &order, &world.schedule.blocks[0], 2, "ok");
	publish(folder, 1, &order, &world.schedule.blocks[1], 2, "ok");
	snprintf(name, sizeof name, "0003-%s-%d.log", phase_name(world.schedule.blocks[1].phase),
		 world.schedule.blocks[1].treatments[0]);
	log = text("%s/%s", folder, name);
	assert_int_equal(file_read(log, 0, &bytes, &error), 0);
	assert_int_equal(file_write(text("%s.tmp.a1b2c3", log), bytes.bytes, 40, 0, &error), 0);
	load(&store);
	assert_int_equal(store.sessions[0].record_count, 4);
	assert_int_equal(store.problem_count, 0);
	store_free(&store);

	assert_int_equal(file_write(log, bytes.bytes, bytes.length - 3, 0, &error), 0);
	load(&store);
	assert_int_equal(store.sessions[0].record_count, 3);
	assert_int_equal(store.problem_count, 1);
	assert_string_equal(store.problems[0].path, log);
	assert_non_null(strstr(store.problems[0].reason, "no complete record"));
	store_free(&store);
	assert_int_equal(state_of(&world, 1), BLOCK_COMPLETE);
	assert_int_equal(state_of(&world, 2), BLOCK_MISSING);

	/* A log under another name would count a group twice. */
	assert_int_equal(file_write(text("%s/0009-ab-0.log", folder), bytes.bytes, bytes.length, 0,
				    &error), 0);
	load(&store);
	assert_int_equal(store.sessions[0].record_count, 3);
	assert_int_equal(store.problem_count, 2);
	assert_non_null(strstr(store.problems[1].reason, "wrong place"));
	store_free(&store);
	buffer_free(&bytes);
	world_end(&world);
}

static void
numbers_are_never_used_again(void **state)
{
	struct store_case store;
	struct world world;

	(void)state;
	world_begin(&world);
	begin_session(&world, NULL, 1);
	/* Killed between its folder and its plan: no session, but the number is gone. */
	assert_int_equal(mkdir(text("results/%s/%.16s/sessions/002", FIXTURE_CASE, HEX), 0777), 0);
	begin_session(&world, "the fan was off", 3);
	load(&store);
	assert_int_equal(store.session_count, 2);
	assert_int_equal(store.sessions[1].number, 3);
	assert_string_equal(store.sessions[1].why, "the fan was off");
	assert_null(store.sessions[0].why);
	store_free(&store);
	world_end(&world);
}

static void
a_record_is_never_overwritten(void **state)
{
	struct error error = {0};
	struct record record;
	struct world world;
	char *folder;

	(void)state;
	world_begin(&world);
	folder = begin_session(&world, NULL, 1);
	fixture_record(&record, 1, 1, PHASE_AB, 1, 1, 0);
	assert_int_equal(store_publish(folder, &record, &error), 0);
	assert_int_equal(store_publish(folder, &record, &error), -1);
	assert_non_null(strstr(error.message, "File exists"));
	record_free(&record);
	world_end(&world);
}

static bool
is_complete(const struct world *world)
{
	struct error error = {0};
	bool complete;

	if (store_complete(FIXTURE_CASE, HEX, &world->plan, &complete, &error) != 0)
		fail_msg("%s", error.message);
	return complete;
}

static void
complete_is_every_block_in_one_regime(void **state)
{
	struct error error = {0};
	struct world world;
	char *folder;
	size_t i;
	int order = 0;

	(void)state;
	world_begin(&world);
	folder = begin_session(&world, NULL, 1);
	for (i = 0; i + 1 < world.schedule.count; i++)
		publish(folder, 1, &order, &world.schedule.blocks[i], 2, "ok");
	assert_false(is_complete(&world));
	folder = begin_session(&world, NULL, 2);
	order = 0;
	publish(folder, 2, &order, &world.schedule.blocks[i], 2, "failed");
	assert_true(is_complete(&world));
	assert_int_equal(file_write(text("%s/regime.txt", folder), "kernel = 7\n", 11, 0, &error), 0);
	assert_false(is_complete(&world));
	assert_int_equal(file_write(text("%s/regime.txt", folder), "kernel = 6\n", 11, 0, &error), 0);
	world.plan.design.pairs = 8; /* more are wanted now */
	assert_false(is_complete(&world));
	world_end(&world);
}

/* After too many failures a case counts as done until somebody retries or asks for more. */
static void
a_case_that_ended_early_is_done(void **state)
{
	struct world world;
	char *folder;
	int order = 0;

	(void)state;
	world_begin(&world);
	folder = begin_session(&world, NULL, 1);
	publish(folder, 1, &order, &world.schedule.blocks[0], 2, "failed");
	assert_false(is_complete(&world));
	end_session(folder, "max_failures", false);
	assert_true(is_complete(&world));
	world.plan.design.pairs = 8;
	assert_false(is_complete(&world));
	world.plan.design.pairs = 4;
	begin_session(&world, NULL, 2); /* a retry, killed */
	assert_false(is_complete(&world));
	world_end(&world);
}

/* File systems tell time in ticks: what is done next gets another one. */
static void
wait_for_the_next_tick(void)
{
	struct timespec start, now;

	clock_gettime(CLOCK_REALTIME_COARSE, &start);
	do
		clock_gettime(CLOCK_REALTIME_COARSE, &now);
	while (now.tv_sec == start.tv_sec && now.tv_nsec == start.tv_nsec);
}

static void
the_fingerprint_sees_removed_and_added_records(void **state)
{
	char one[DIGEST_SHA256_HEX], two[DIGEST_SHA256_HEX];
	struct world world;
	char *folder;
	int order = 0;

	(void)state;
	world_begin(&world);
	folder = begin_session(&world, NULL, 1);
	publish(folder, 1, &order, &world.schedule.blocks[0], 2, "ok");
	store_fingerprint(FIXTURE_CASE, HEX, one);
	store_fingerprint(FIXTURE_CASE, HEX, two);
	assert_string_equal(one, two);
	wait_for_the_next_tick();
	assert_int_equal(unlink(text("%s/0001-%s-%d.log", folder, phase_name(world.schedule.blocks[0].phase),
				     world.schedule.blocks[0].treatments[0])), 0);
	store_fingerprint(FIXTURE_CASE, HEX, two);
	assert_string_not_equal(one, two);
	begin_session(&world, NULL, 2);
	store_fingerprint(FIXTURE_CASE, HEX, one);
	assert_string_not_equal(one, two);
	world_end(&world);
}

static void
one_look_a_number_of_pairs(void **state)
{
	struct store_case store;
	struct error error = {0};
	struct world world;

	(void)state;
	world_begin(&world);
	begin_session(&world, NULL, 1);
	load(&store);
	assert_int_equal(store_add_look(&store, 4, "fixed", &error), 0);
	assert_int_equal(store_add_look(&store, 4, "fixed", &error), 0);
	assert_int_equal(store_add_look(&store, 8, "fixed", &error), 0);
	store_free(&store);
	load(&store);
	assert_int_equal(store.look_count, 2);
	assert_int_equal(store.looks[0].pairs, 4);
	assert_int_equal(store.looks[1].pairs, 8);
	assert_string_equal(store.looks[1].rule, "fixed");
	store_free(&store);
	assert_int_equal(file_write(text("results/%s/%.16s/looks.csv", FIXTURE_CASE, HEX),
				    "at,pairs,rule\nnow,8,fixed\n", 26, 0, &error), 0);
	assert_int_equal(store_load(FIXTURE_CASE, HEX, &store, &error), -1);
	assert_non_null(strstr(error.message, "the look at 4 pairs is lost"));
	store_free(&store);
	assert_int_equal(file_write(text("results/%s/%.16s/looks.csv", FIXTURE_CASE, HEX),
				    "at,pairs,rule\nnow,many,fixed\n", 29, 0, &error), 0);
	assert_int_equal(store_load(FIXTURE_CASE, HEX, &store, &error), -1);
	assert_int_equal(error.line, 2);
	store_free(&store);
	world_end(&world);
}

/* A session that was killed has no end.json either, and counts. */
static void
an_end_that_was_written_cannot_be_lost(void **state)
{
	static const char valid[] = "{\"finished\": true, \"how\": \"complete\", \"invalid\": false}\n";
	struct error error = {0};
	struct store_case store;
	struct world world;
	char *folder;

	(void)state;
	world_begin(&world);
	folder = begin_session(&world, NULL, 1);
	load(&store);
	assert_false(store.sessions[0].invalid);
	assert_false(store.sessions[0].finished);
	store_free(&store);
	end_session(folder, "complete", true);
	assert_int_equal(unlink(text("%s/end.json", folder)), 0);
	load(&store);
	assert_true(store.sessions[0].invalid);
	assert_non_null(strstr(store.sessions[0].reason, "end.json: is not there"));
	assert_int_equal(store.problem_count, 1);
	store_free(&store);
	assert_int_equal(file_write(text("%s/end.json", folder), valid, sizeof valid - 1, 0, &error), 0);
	load(&store);
	assert_true(store.sessions[0].invalid);
	assert_non_null(strstr(store.sessions[0].reason, "end.json: is not what was written"));
	store_free(&store);
	world_end(&world);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_begin, fixture_end)
	const struct CMUnitTest tests[] = {
		TEST(nothing_measured_is_empty),
		TEST(a_block_is_whole_or_missing),
		TEST(halves_are_no_block),
		TEST(the_last_whole_attempt_counts),
		TEST(leftovers_and_damage_are_no_records),
		TEST(numbers_are_never_used_again),
		TEST(a_record_is_never_overwritten),
		TEST(complete_is_every_block_in_one_regime),
		TEST(a_case_that_ended_early_is_done),
		TEST(the_fingerprint_sees_removed_and_added_records),
		TEST(one_look_a_number_of_pairs),
		TEST(an_end_that_was_written_cannot_be_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

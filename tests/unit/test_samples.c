#include "case_fixture.h"

#include "base/csv_table.h"
#include "base/digest.h"
#include "session/judge.h"
#include "store/samples.h"
#include "store/store.h"

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* A store of one case, written group by group, and the table that comes of it. */
struct world {
	struct plan plan;
	struct chunk *chunks;
	size_t chunk_count;
	struct schedule schedule;
	char *folder;
	int session, order;
	struct csv_table table;
	struct samples_use use;
};

static void
world_begin(struct world *world, const char *reader)
{
	memset(world, 0, sizeof *world);
	fixture_plan(&world->plan, reader, 4);
	world->chunks = schedule_chunks(&world->plan, NULL, 0, 4, &world->chunk_count);
	schedule_build(&world->plan, world->chunks, world->chunk_count, &world->schedule);
}

static void
begin_session(struct world *world, const char *regime)
{
	static char text_of_identity[] = "identity = 1\n";
	struct identity identity = {.hex = HEX, .text = text_of_identity};
	struct plan resolved = world->plan;
	struct error error = {0};
	char *folder;

	resolved.chunks = world->chunks;
	resolved.chunk_count = world->chunk_count;
	if (store_begin_session(FIXTURE_CASE, &identity, &resolved, NULL, &world->session, &folder,
				&error) != 0)
		fail_msg("%s", error.message);
	world->folder = text("%s", folder);
	free(folder);
	assert_int_equal(file_write(text("%s/provenance.json", world->folder), "{}\n", 3, 0, &error), 0);
	assert_int_equal(file_write(text("%s/regime.txt", world->folder), regime, strlen(regime), 0,
				    &error), 0);
	world->order = 0;
}

static void
publish(struct world *world, const struct block *block, int slot, const char *output)
{
	struct error error = {0};
	struct record record;

	fixture_record(&record, world->session, ++world->order, block->phase, block->number, slot,
		       block->treatments[slot - 1]);
	free(record.stdout_bytes);
	record.stdout_bytes = memory_copy_text(output);
	record.stdout_length = strlen(output);
	judge_group(&world->plan, &record);
	if (store_publish(world->folder, &record, &error) != 0)
		fail_msg("%s", error.message);
	record_free(&record);
}

static void
publish_block(struct world *world, int number, const char *output)
{
	publish(world, &world->schedule.blocks[number - 1], 1, output);
	publish(world, &world->schedule.blocks[number - 1], 2, output);
}

static void
derive(struct world *world)
{
	struct store_case store;
	struct error error = {0};

	if (store_load(FIXTURE_CASE, HEX, &store, &error) != 0 ||
	    samples_write(&store, &world->plan, "samples.csv", &world->use, &error) != 0 ||
	    csv_table_read("samples.csv", &world->table, &error) != 0)
		fail_msg("%s", error.message);
	store_free(&store);
}

static void
world_end(struct world *world)
{
	csv_table_free(&world->table);
	samples_use_free(&world->use);
	schedule_free(&world->schedule);
	free(world->chunks);
	plan_free(&world->plan);
}

static const char *
cell(const struct world *world, size_t row, const char *column)
{
	int at = csv_table_column(&world->table, column);

	if (at < 0)
		fail_msg("no column '%s'", column);
	assert_true(row < world->table.count);
	return world->table.rows[row][at];
}

static void
one_row_a_sample(void **state)
{
	static const char output[] = "MODE fused\nRESULT 12.5 12.25 1e9\nMETRIC bytes 7 B\n"
				     "RESULT 0.1 0.3 2e9\nMETRIC alpha 1e-3\nCHECK 42.5\n";
	char sha256[DIGEST_SHA256_HEX];
	struct world world;

	(void)state;
	world_begin(&world, "protocol");
	begin_session(&world, "kernel = 6\n");
	publish_block(&world, 1, output);
	derive(&world);
	assert_int_equal(world.table.count, 4);
	assert_string_equal(cell(&world, 0, "sample"), "1");
	assert_string_equal(cell(&world, 1, "sample"), "2");
	assert_string_equal(cell(&world, 0, "wall_us"), "12.5");
	assert_string_equal(cell(&world, 1, "wall_us"), "0.10000000000000001");
	assert_string_equal(cell(&world, 1, "cpu_us"), "0.29999999999999999");
	assert_string_equal(cell(&world, 0, "flops"), "1000000000");
	assert_string_equal(cell(&world, 0, "bytes"), "7");
	assert_string_equal(cell(&world, 0, "alpha"), "");
	assert_string_equal(cell(&world, 1, "bytes"), "");
	assert_string_equal(cell(&world, 1, "alpha"), "0.001");
	assert_true(csv_table_column(&world.table, "alpha") < csv_table_column(&world.table, "bytes"));
	assert_string_equal(cell(&world, 0, "check"), "42.5");
	digest_bytes(DIGEST_SHA256, output, strlen(output), sha256);
	assert_string_equal(cell(&world, 3, "stdout_sha256"), sha256);
	assert_string_equal(cell(&world, 2, "order"), "2");
	assert_string_equal(cell(&world, 2, "slot"), "2");
	assert_string_equal(cell(&world, 2, "status"), "ok");
	assert_string_equal(cell(&world, 2, "used"), "1");
	assert_string_equal(cell(&world, 2, "case_id"), FIXTURE_CASE);
	assert_string_equal(cell(&world, 2, "experiment"), "fused");
	assert_string_equal(cell(&world, 0, "started_ns"), "1796112900123456790");
	assert_string_equal(cell(&world, 0, "process_wall_us"), "1001.3333333333334");
	world_end(&world);
}

static void
the_copy_of_a_is_named_after_it(void **state)
{
	struct world world;
	size_t i, r, copies = 0;

	(void)state;
	world_begin(&world, "protocol");
	begin_session(&world, "kernel = 6\n");
	for (i = 0; i < world.schedule.count; i++)
		publish_block(&world, (int)i + 1, "RESULT 1 1 1\n");
	derive(&world);
	for (r = 0; r < world.table.count; r++) {
		if (strcmp(cell(&world, r, "treatment"), "2") != 0)
			continue;
		copies++;
		assert_string_equal(cell(&world, r, "variant"), "two_loops'");
		assert_string_equal(cell(&world, r, "phase"), "aa");
	}
	assert_int_equal(copies, 2);
	world_end(&world);
}

/* A group without samples still has its row; the reason may hold anything. */
static void
bad_groups_have_a_row(void **state)
{
	struct world world;

	(void)state;
	world_begin(&world, "protocol");
	begin_session(&world, "kernel = 6\n");
	publish(&world, &world.schedule.blocks[0], 1, "RESULT x, \"y\"\n");
	publish(&world, &world.schedule.blocks[0], 2, "hello\n");
	derive(&world);
	assert_int_equal(world.table.count, 2);
	assert_string_equal(cell(&world, 0, "sample"), "0");
	assert_string_equal(cell(&world, 0, "wall_us"), "");
	assert_string_equal(cell(&world, 0, "status"), "invalid");
	assert_non_null(strstr(cell(&world, 0, "reason"), "RESULT"));
	assert_string_equal(cell(&world, 1, "status"), "invalid");
	assert_non_null(strstr(cell(&world, 1, "reason"), "no result"));
	assert_string_equal(cell(&world, 1, "max_rss_kib"), "0");
	assert_string_equal(cell(&world, 1, "used"), "1");
	world_end(&world);
}

/* The rules of invalid_if are applied when a group is judged, and only those declared. */
static void
declared_rules_make_disturbed_groups_invalid(void **state)
{
	const char *half_idle = "RESULT 100 50 1\nRESULT 100 99 1\nRESULT 100 40 1\n";
	const char *busy = "RESULT 100 99 1\nRESULT 100 50 1\nRESULT 100 100 1\n";
	struct world world;

	(void)state;
	world_begin(&world, "protocol");
	begin_session(&world, "kernel = 6\n");
	publish(&world, &world.schedule.blocks[0], 1, half_idle);
	world.plan.preempted_above = 0.05;
	publish(&world, &world.schedule.blocks[0], 2, busy);
	publish(&world, &world.schedule.blocks[1], 1, half_idle);
	derive(&world);
	assert_string_equal(cell(&world, 0, "status"), "ok");
	assert_string_equal(cell(&world, 3, "status"), "ok");
	assert_string_equal(cell(&world, 6, "status"), "invalid");
	assert_non_null(strstr(cell(&world, 6, "reason"), "50.0 % of its wall time"));
	world_end(&world);
}

static void
only_the_last_whole_attempt_is_used(void **state)
{
	struct world world;
	size_t r;

	(void)state;
	world_begin(&world, "protocol");
	begin_session(&world, "kernel = 6\n");
	publish_block(&world, 1, "RESULT nonsense\n"); /* rows 0, 1: retried below */
	publish(&world, &world.schedule.blocks[1], 1, "RESULT 1 1 1\n"); /* row 2: orphan */
	begin_session(&world, "kernel = 6\n");
	publish_block(&world, 1, "RESULT 1 1 1\n"); /* 3, 4 */
	publish_block(&world, 2, "RESULT 1 1 1\n"); /* 5, 6 */
	derive(&world);
	assert_int_equal(world.table.count, 7);
	for (r = 0; r < 7; r++)
		assert_string_equal(cell(&world, r, "used"), r < 3 ? "0" : "1");
	assert_int_equal(world.use.sessions[0].orphans, 1);
	assert_int_equal(world.use.sessions[1].orphans, 0);
	assert_null(world.use.regime_problem);
	world_end(&world);
}

/* One block in a regime, the next one in another: only the second counts, and why is told. */
static void
assert_not_mixed(const char *name, const char *before, const char *after)
{
	struct world world;
	const char *told;

	world_begin(&world, "protocol");
	begin_session(&world, text("a = 1\n%s = %s\nz = 1\n", name, before));
	publish_block(&world, 1, "RESULT 1 1 1\n");
	begin_session(&world, text("a = 1\n%s = %s\nz = 1\n", name, after));
	publish_block(&world, 2, "RESULT 1 1 1\n");
	derive(&world);
	assert_string_equal(cell(&world, 0, "used"), "0");
	assert_string_equal(cell(&world, 1, "used"), "0");
	assert_string_equal(cell(&world, 2, "used"), "1");
	assert_string_equal(cell(&world, 3, "used"), "1");
	told = world.use.regime_problem;
	assert_non_null(told);
	if (strstr(told, text("(%s: %s -> %s)", name, before, after)) == NULL)
		fail_msg("%s", told);
	world_end(&world);
	assert_int_equal(file_remove_tree("results", NULL), 0);
}

static void
regimes_are_not_mixed(void **state)
{
	(void)state;
	assert_not_mixed("boost", "on", "off");
	assert_not_mixed("governor", "powersave", "performance");
	assert_not_mixed("kernel", "6.1.0", "6.1.1");
	assert_not_mixed("kernel build", "#1 SMP", "#2 SMP");
	assert_not_mixed("kernel command line", "quiet", "quiet mitigations=off");
	assert_not_mixed("mitigation meltdown", "Mitigation: PTI", "Vulnerable");
	assert_not_mixed("smt", "on", "off");
	assert_not_mixed("transparent huge pages", "madvise", "always");
	assert_not_mixed("library lib/libx.so.1", "01", "02");
}

static void
without_the_protocol_the_process_is_the_sample(void **state)
{
	struct world world;

	(void)state;
	world_begin(&world, "process");
	begin_session(&world, "kernel = 6\n");
	publish_block(&world, 1, "anything\n");
	derive(&world);
	assert_int_equal(world.table.count, 2);
	assert_string_equal(cell(&world, 0, "sample"), "1");
	assert_string_equal(cell(&world, 0, "wall_us"), cell(&world, 0, "process_wall_us"));
	assert_string_equal(cell(&world, 0, "flops"), "");
	world_end(&world);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_begin, fixture_end)
	const struct CMUnitTest tests[] = {
		TEST(one_row_a_sample),
		TEST(the_copy_of_a_is_named_after_it),
		TEST(bad_groups_have_a_row),
		TEST(declared_rules_make_disturbed_groups_invalid),
		TEST(only_the_last_whole_attempt_is_used),
		TEST(regimes_are_not_mixed),
		TEST(without_the_protocol_the_process_is_the_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "case_fixture.h"

#include "store/record.h"

/* A log comes back byte for byte, whatever its program printed; anything else is no record. */

static void
fill(struct record *record, const char *bytes, size_t length)
{
	fixture_record(record, 3, 7, PHASE_AA, 5, 2, 2);
	free(record->stdout_bytes);
	record->stdout_bytes = memory_copy_span(bytes, length);
	record->stdout_length = length;
	free(record->stderr_bytes);
	record->stderr_bytes = memory_copy_text("warning: odd\n");
	record->stderr_length = strlen(record->stderr_bytes);
	record->cpu_count = 2;
	record->cpus = memory_zeroed(2, sizeof *record->cpus);
	record->cpus[0] = 1;
	record->cpus[1] = 3;
	record->result.end = LAUNCH_SIGNALLED;
	record->result.signal_number = 11;
	record->result.max_rss_kib = 1234;
	record->result.leftovers = 1;
	free(record->status);
	record->status = memory_copy_text("failed");
	free(record->reason);
	record->reason = memory_copy_text("ended by signal 11");
}

static void
assert_round_trip(const char *bytes, size_t length)
{
	struct buffer once = BUFFER_EMPTY, twice = BUFFER_EMPTY;
	struct record record, again;
	struct error error = {0};

	fill(&record, bytes, length);
	record_encode(&record, &once);
	if (record_decode("a.log", once.bytes, once.length, &again, &error) != 0)
		fail_msg("%s", error.message);
	record_encode(&again, &twice);
	assert_int_equal(once.length, twice.length);
	assert_memory_equal(once.bytes, twice.bytes, once.length);
	assert_int_equal(again.stdout_length, length);
	assert_memory_equal(again.stdout_bytes, bytes, length);
	assert_string_equal(again.stderr_bytes, "warning: odd\n");
	assert_string_equal(again.run_id, "20261201T081500Z-1f0c6a2e-0007");
	assert_int_equal(again.session, 3);
	assert_int_equal(again.order, 7);
	assert_int_equal(again.phase, PHASE_AA);
	assert_int_equal(again.block, 5);
	assert_int_equal(again.slot, 2);
	assert_int_equal(again.cpu_count, 2);
	assert_int_equal(again.cpus[1], 3);
	assert_int_equal(again.result.end, LAUNCH_SIGNALLED);
	assert_int_equal(again.result.signal_number, 11);
	assert_true(again.result.wall_us == record.result.wall_us);
	assert_string_equal(again.reason, "ended by signal 11");
	record_free(&record);
	record_free(&again);
	buffer_free(&once);
	buffer_free(&twice);
}

static void
any_output_comes_back(void **state)
{
	char all[256];
	int i;

	(void)state;
	for (i = 0; i < 256; i++)
		all[i] = (char)i;
	assert_round_trip("", 0);
	assert_round_trip("\n", 1);
	assert_round_trip("no newline", 10);
	assert_round_trip(all, sizeof all);
	/* A program that prints what a log looks like. */
	assert_round_trip("x\n--- stderr\n\n--- result\nexit_code=0\nstatus=ok\ncomplete=1\n", 54);
}

static void
texts_cannot_forge_lines(void **state)
{
	struct buffer bytes = BUFFER_EMPTY;
	struct record record, again;
	struct error error = {0};

	(void)state;
	fill(&record, "", 0);
	free(record.reason);
	record.reason = memory_copy_text("bad\nstatus=ok\r\tx");
	record_encode(&record, &bytes);
	assert_int_equal(record_decode("a.log", bytes.bytes, bytes.length, &again, &error), 0);
	assert_string_equal(again.reason, "bad status=ok  x");
	assert_string_equal(again.status, "failed");
	record_free(&record);
	record_free(&again);
	buffer_free(&bytes);
}

static void
every_truncation_is_no_record(void **state)
{
	struct buffer bytes = BUFFER_EMPTY;
	struct record record, again;
	size_t length;

	(void)state;
	fill(&record, "RESULT 1 2 3\n", 13);
	record_encode(&record, &bytes);
	for (length = 0; length < bytes.length; length++) {
		/* A copy of its own, so that a read past the end is seen. */
		char *part = memory_copy_span(bytes.bytes, length);
		struct error error = {0};

		assert_int_equal(record_decode("a.log", part, length, &again, &error), -1);
		assert_non_null(strstr(error.message, "no complete record"));
		assert_true(error.line > 0);
		free(part);
	}
	buffer_puts(&bytes, "x");
	assert_int_equal(record_decode("a.log", bytes.bytes, bytes.length, &again, NULL), -1);
	record_free(&record);
	buffer_free(&bytes);
}

static void
every_changed_byte_is_refused(void **state)
{
	static const char others[] = {0, '\n', '9', '=', '-', (char)0xff};
	struct buffer bytes = BUFFER_EMPTY;
	struct record record;
	size_t at, other;

	(void)state;
	fill(&record, "RESULT 1 2 3\n", 13);
	record_encode(&record, &bytes);
	for (at = 0; at < bytes.length; at++) {
		for (other = 0; other < sizeof others; other++) {
			char saved = bytes.bytes[at];
			struct record again;

			if (saved == others[other])
				continue;
			bytes.bytes[at] = others[other];
			assert_int_equal(record_decode("a.log", bytes.bytes, bytes.length, &again, NULL), -1);
			bytes.bytes[at] = saved;
		}
	}
	record_free(&record);
	buffer_free(&bytes);
}

static void
assert_refused(const char *line, const char *instead, const char *reason)
{
	struct buffer bytes = BUFFER_EMPTY, changed = BUFFER_EMPTY;
	struct record record, again;
	struct error error = {0};
	const char *at;

	fill(&record, "x", 1);
	record_encode(&record, &bytes);
	at = strstr(bytes.bytes, line);
	assert_non_null(at);
	buffer_append(&changed, bytes.bytes, (size_t)(at - bytes.bytes));
	buffer_puts(&changed, instead);
	buffer_puts(&changed, at + strlen(line));
	assert_int_equal(record_decode("dir/a.log", changed.bytes, changed.length, &again, &error), -1);
	assert_string_equal(error.file, "dir/a.log");
	if (strstr(error.message, reason) == NULL)
		fail_msg("'%s' does not say '%s'", error.message, reason);
	record_free(&record);
	buffer_free(&bytes);
	buffer_free(&changed);
}

static void
counts_have_bounds_that_are_said(void **state)
{
	(void)state;
	assert_refused("order=7", "order=99999999999999999999", "'order' must be an integer from 1 to 9999999");
	assert_refused("order=7", "order=07", "'order' must be an integer");
	assert_refused("order=7", "order=0", "from 1 to");
	assert_refused("session=3", "session=-3", "'session' must be an integer from 1");
	assert_refused("stdout_bytes=1", "stdout_bytes=18446744073709551615", "'stdout_bytes'");
	assert_refused("stdout_bytes=1", "stdout_bytes=100000", "'stdout_bytes' must be an integer from 0 to");
	assert_refused("wall_us=", "wall_us=nan", "'wall_us' must be a time");
	assert_refused("exit_code=0", "exit_code=256", "'exit_code' must be an integer from 0 to 255");
	assert_refused("cpus=1,3", "cpus=1,", "'cpus'");
	assert_refused("phase=aa", "phase=xx", "'phase' must be warmup, aa or ab");
	assert_refused("status=failed", "status=fine", "'status' has an unknown value");
	assert_refused("complete=1", "complete=0", "complete=1");
	assert_refused("assay-record 2", "assay-record 1", "assay-record 2");
	assert_refused("user_us=", "user_us=1", "not those that were written");
	assert_refused("started_at=2026", "started_at=2025", "'started_at'");
}

static void
assert_file_round_trip(const char *output, size_t length)
{
	struct buffer bytes = BUFFER_EMPTY, twice = BUFFER_EMPTY;
	struct record record, again;
	struct error error = {0};

	fill(&record, output, length);
	record_encode(&record, &bytes);
	assert_int_equal(file_write("a.log", bytes.bytes, bytes.length, 0, &error), 0);
	assert_int_equal(record_read("a.log", &again, &error), 0);
	record_encode(&again, &twice);
	assert_int_equal(twice.length, bytes.length);
	assert_memory_equal(twice.bytes, bytes.bytes, bytes.length);
	record_free(&again);
	assert_int_equal(file_write("a.log", bytes.bytes, bytes.length - 1, 0, &error), 0);
	assert_int_equal(record_read("a.log", &again, &error), -1);
	record_free(&record);
	buffer_free(&bytes);
	buffer_free(&twice);
}

static void
a_file_is_read_like_its_bytes(void **state)
{
	char *large = memory_zeroed(3 << 20, 1);
	struct record again;
	struct error error = {0};

	(void)state;
	assert_file_round_trip("abc", 3);
	assert_file_round_trip(large, 3 << 20);
	free(large);
	assert_int_equal(file_write("empty.log", "", 0, 0, &error), 0);
	assert_int_equal(record_read("empty.log", &again, &error), -1);
	assert_non_null(strstr(error.message, "empty"));
	assert_int_equal(record_read("missing.log", &again, &error), -1);
	assert_int_equal(record_read(".", &again, &error), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_output_comes_back),
		cmocka_unit_test(texts_cannot_forge_lines),
		cmocka_unit_test(every_truncation_is_no_record),
		cmocka_unit_test(every_changed_byte_is_refused),
		cmocka_unit_test(counts_have_bounds_that_are_said),
		cmocka_unit_test_setup_teardown(a_file_is_read_like_its_bytes, fixture_begin, fixture_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Identities in the store, and those of another machine. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/memory.h"
#include "identity/recorded.h"
#include "tests/unit/identity_folder.h"

static void
store_identity(const char *text, const char *started)
{
	struct identity identity;
	char *path;

	identity_from_text(text, &identity);
	path = memory_format("results/case-1/%.16s/identity.txt", identity.hex);
	put_file(path, text);
	free(path);
	path = memory_format("results/case-1/%.16s/sessions/001/provenance.json", identity.hex);
	run("mkdir -p $(dirname %s) && echo '{\"started\": \"%s\"}' >%s", path, started, path);
	free(path);
	identity_free(&identity);
}

static void
newest_stored_identity_comes_first(void **state)
{
	struct recorded *list;
	size_t count;

	(void)state;
	store_identity("a = 1\n", "2026-01-02T00:00:00.000000000Z");
	store_identity("a = 2\n", "2026-01-03T00:00:00.000000000Z");
	store_identity("a = 3\n", "2026-01-01T00:00:00.000000000Z");
	run("mkdir -p results/case-1/0123456789abcdef results/case-1/odd");
	put_file("results/case-1/0123456789abcdef/identity.txt", "not of that name\n");
	list = recorded_list("case-1", &count);
	assert_int_equal(count, 3);
	assert_string_equal(list[0].identity.text, "a = 2\n");
	assert_string_equal(list[2].identity.text, "a = 3\n");
	recorded_free(list, count);
	list = recorded_list("none", &count);
	assert_int_equal(count, 0);
	recorded_free(list, count);
}

static void
recorded_machine_stands_in(void **state)
{
	struct identity present, chosen;
	struct error error = {0};

	(void)state;
	identity_from_text("identity = 1\nmachine id = cc\nx = 1\n", &present);
	assert_int_equal(recorded_choose("case-1", "recorded", &present, &chosen, &error), -1);
	assert_int_equal(error.code, EXIT_NOTHING);
	store_identity("identity = 1\nmachine id = aa\nx = 1\n", "2026-01-02");
	store_identity("identity = 1\nmachine id = bb\nx = 2\n", "2026-01-03");
	assert_int_equal(recorded_choose("case-1", "recorded", &present, &chosen, &error), 0);
	assert_non_null(strstr(chosen.text, "machine id = aa"));
	assert_true(chosen.recorded);
	identity_free(&chosen);
	assert_int_equal(recorded_choose("case-1", "bb", &present, &chosen, &error), 0);
	assert_non_null(strstr(chosen.text, "machine id = bb"));
	identity_free(&chosen);
	assert_int_equal(recorded_choose("case-1", "dd", &present, &chosen, &error), -1);
	identity_free(&present);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(newest_stored_identity_comes_first),
		IN_FOLDER(recorded_machine_stands_in),
	};

	return cmocka_run_group_tests_name("recorded", tests, NULL, NULL);
}

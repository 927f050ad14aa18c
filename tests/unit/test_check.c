/* The fast path of check: nothing is looked at again where nothing changed. */
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

#include "base/clock.h"
#include "base/file.h"
#include "identity/check_index.h"
#include "identity/check_state.h"
#include "tests/unit/identity_folder.h"

static bool
holds_after(const char *command, int64_t age_ns)
{
	struct sightings seen = SIGHTINGS_EMPTY;
	bool result;

	put_file("file", "abc");
	mkdir("folder", 0777);
	sightings_add(&seen, "file");
	sightings_add(&seen, "folder");
	sightings_add(&seen, "missing");
	check_state_write("state", "surroundings", &seen, clock_realtime_ns() + age_ns);
	sightings_free(&seen);
	run("%s", command);
	result = check_state_holds("state", "surroundings");
	run("rm -rf file folder missing");
	return result;
}

static void
check_state_notices_every_change(void **state)
{
	int64_t later = 10000000000;

	(void)state;
	assert_true(holds_after("true", later));
	assert_false(holds_after("true", 0)); /* looked at too soon after the change */
	assert_false(holds_after("printf abd >file", later));
	assert_false(holds_after("rm file", later));
	assert_false(holds_after("touch folder/new", later));
	assert_false(holds_after("touch missing", later));
	assert_false(holds_after("truncate -s -1 state", later));
	assert_false(holds_after("rm state", later));
	assert_false(holds_after("echo >>state", later));
	assert_true(holds_after("true", later));
}

static void
check_state_is_for_its_surroundings(void **state)
{
	struct sightings seen = SIGHTINGS_EMPTY;

	(void)state;
	check_state_write("state", "PATH=a", &seen, 1);
	assert_true(check_state_holds("state", "PATH=a"));
	assert_false(check_state_holds("state", "PATH=b"));
	assert_false(check_state_holds("state", "PATH=ab"));
	assert_false(check_state_holds("state", ""));
	seen.never_holds = true;
	check_state_write("state", "PATH=a", &seen, 1);
	assert_false(check_state_holds("state", "PATH=a"));
}

static void
index_changes_with_any_plan(void **state)
{
	static char plain[] = "plain", fused[] = "fused", name[] = "e", path[] = "lab",
		    first[] = "case-1", second[] = "case-2";
	struct program program = {.name = path, .path = path};
	struct treatment treatments[2] = {{.name = plain, .variant = plain},
					  {.name = fused, .variant = fused}};
	struct study_case cases[2] = {{.case_id = first, .treatments = &treatments[0],
				       .treatment_count = 1},
				      {.case_id = second, .treatments = &treatments[1],
				       .treatment_count = 1}};
	struct experiment experiment = {.name = name, .cases = cases, .case_count = 2};
	struct study study = {.programs = &program, .program_count = 1};
	struct file_signature before, after;
	struct check_index index, changed;

	(void)state;
	assert_int_equal(check_index_write(&study, &experiment, "index", NULL), 0);
	file_signature("index", &before);
	assert_int_equal(check_index_write(&study, &experiment, "index", NULL), 0);
	file_signature("index", &after);
	assert_true(file_signature_equal(&before, &after));
	assert_int_equal(check_index_read("index", &index, NULL), 0);
	assert_int_equal(index.count, 2);
	assert_string_equal(index.cases[1].case_id, "case-2");
	treatments[1].lowers_scale = true;
	check_index_write(&study, &experiment, "index", NULL);
	check_index_read("index", &changed, NULL);
	assert_string_equal(index.cases[0].plan_sha256, changed.cases[0].plan_sha256);
	assert_string_not_equal(index.cases[1].plan_sha256, changed.cases[1].plan_sha256);
	check_index_free(&index);
	check_index_free(&changed);
	put_file("index", "{}");
	assert_int_equal(check_index_read("index", &index, NULL), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(check_state_notices_every_change),
		IN_FOLDER(check_state_is_for_its_surroundings),
		IN_FOLDER(index_changes_with_any_plan),
	};

	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}

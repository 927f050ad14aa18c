#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "spec/host.h"
#include "spec/host_state.h"
#include "spec_study.h"

/*
 * Every spec in tests/specs (the folder is the first argument): wrong ones give exactly their
 * message, right ones exactly their model. See the README there.
 */

#define MEMORY_LIMIT ((size_t)64 << 20)
#define STEPS_LIMIT 3000000LL

static char *specs; /* absolute */

static bool
ends_with(const char *text, const char *end)
{
	size_t a = strlen(text), b = strlen(end);

	return a > b && strcmp(text + a - b, end) == 0;
}

static int
is_spec(const struct dirent *entry)
{
	return ends_with(entry->d_name, ".lua") || ends_with(entry->d_name, ".md");
}

static char *
expected_path(const char *spec)
{
	return memory_format("%.*s.expected", (int)(strrchr(spec, '.') - spec), spec);
}

static void
lay_out(const char *spec)
{
	const char *name = strrchr(spec, '/') + 1;
	bool entry = ends_with(name, ".entry.lua");
	char *to = entry ? memory_copy_text("build.ninja.lua") : memory_format("experiments/%s", name);
	struct error error = {0};

	spec_study_write("more/good.lua",
			 "experiment \"good\" { variants = { variant \"a\" { \"lab\" }, variant \"b\" { \"lab\" } } }");
	if (!entry)
		spec_study_write("build.ninja.lua", spec_study_entry);
	assert_int_equal(file_make_parent(to, &error), 0);
	assert_int_equal(file_copy(spec, to, &error), 0);
	free(to);
}

/* What loading the spec says. */
static void
load(const char *spec, bool wrong, struct buffer *got)
{
	struct host *host = host_new();
	struct error error = {0};
	const struct study *study;

	spec_study_enter();
	lay_out(spec);
	host_limit(host, MEMORY_LIMIT, STEPS_LIMIT, 60);
	study = host_load(host, "build.ninja.lua", &error);
	if (study != NULL && !wrong)
		spec_study_dump(study, got);
	else if (study != NULL)
		buffer_puts(got, "loaded without error\n");
	else if (error.line > 0)
		buffer_printf(got, "%s:%d: %s\n", error.file, error.line, error.message);
	else
		buffer_printf(got, "%s: %s\n", error.file, error.message);
	if (study == NULL)
		assert_int_equal(error.code, EXIT_BAD_INPUT);
	host_free(host);
	spec_study_leave();
}

static bool
check_spec(const char *spec, bool wrong)
{
	struct buffer got = BUFFER_EMPTY, expected = BUFFER_EMPTY;
	struct error error = {0};
	char *path = expected_path(spec);
	bool equal;

	load(spec, wrong, &got);
	if (getenv("ASSAY_UPDATE") != NULL)
		file_write(path, buffer_text(&got), got.length, FILE_IF_CHANGED, &error);
	if (file_read(path, 0, &expected, &error) != 0)
		fprintf(stderr, "%s\n", error.message);
	equal = strcmp(buffer_text(&got), buffer_text(&expected)) == 0;
	if (!equal)
		fprintf(stderr, "%s\nexpected: %sgot:      %s\n", spec, buffer_text(&expected),
			buffer_text(&got));
	buffer_free(&got);
	buffer_free(&expected);
	free(path);
	return equal;
}

static void
check_folder(const char *name, bool wrong)
{
	char *folder = memory_format("%s/%s", specs, name);
	struct dirent **entries;
	int count = scandir(folder, &entries, is_spec, alphasort), i, bad = 0;

	assert_true(count > 0);
	for (i = 0; i < count; i++) {
		char *spec = memory_format("%s/%s", folder, entries[i]->d_name);

		bad += !check_spec(spec, wrong);
		free(spec);
		free(entries[i]);
	}
	free(entries);
	free(folder);
	assert_int_equal(bad, 0);
}

static void
test_wrong_specs(void **state)
{
	(void)state;
	check_folder("wrong", true);
}

static void
test_right_specs(void **state)
{
	(void)state;
	check_folder("right", false);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_specs),
		cmocka_unit_test(test_right_specs),
	};
	int failed;

	specs = realpath(argc > 1 ? argv[1] : "tests/specs", NULL);
	if (specs == NULL) {
		fprintf(stderr, "no folder %s\n", argc > 1 ? argv[1] : "tests/specs");
		return 2;
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	free(specs);
	return failed;
}

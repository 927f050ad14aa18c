/*
 * What a session records of where its numbers come from: studies made by hand in a fresh folder,
 * and what capture_session says of them.
 */
#ifndef CAPTURE_FIXTURE_H
#define CAPTURE_FIXTURE_H

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

#include "base/buffer.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "hand_made.h"
#include "provenance/capture.h"

#define SESSION "results/C/0123/sessions/001"

static char *folder; /* the test's own; the study lies in it, as "study" */

static inline void
commit(void)
{
	shell("git add -A && git -c user.name=a -c user.email=a@b commit -q -m one");
}

static inline int
set_up(void **state)
{
	char path[] = "/tmp/assay-capture-XXXXXX";

	(void)state;
	folder = memory_copy_text(mkdtemp(path));
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_CEILING_DIRECTORIES", folder, 1);
	if (chdir(folder) != 0 || mkdir("study", 0777) != 0 || chdir("study") != 0)
		return -1;
	put("build/study.json", "{\"name\": \"s\", \"specs\": [\"experiments/one.md\"], "
				"\"entry\": \"build.ninja.lua\", \"private\": [\"hidden\"]}");
	put("build.ninja.lua", "study{}\n");
	return 0;
}

static inline int
tear_down(void **state)
{
	(void)state;
	if (chdir("/") != 0 || file_remove_tree(folder, NULL) != 0)
		return -1;
	free(folder);
	return 0;
}

static inline json_t *
capture_program(const char *program)
{
	struct plan_treatment treatment = {.name = (char *)"a", .variant = (char *)"a"};
	struct plan plan = {.case_id = (char *)"C", .treatments = &treatment, .treatment_count = 1};
	struct error error = {0};
	json_t *provenance;

	treatment.program.path = (char *)program;
	provenance = capture_session(&plan, SESSION, &error);
	if (provenance == NULL)
		fail_msg("%s", error.message);
	return provenance;
}

static inline json_t *
capture(void)
{
	return capture_program("/bin/sh");
}

/* Follows "git.commit"; fails the test when it is not there. */
static inline const json_t *
at(const json_t *value, const char *path)
{
	char *copy = memory_copy_text(path), *rest = copy, *key;
	const json_t *found = value;

	while ((key = strsep(&rest, ".")) != NULL) {
		found = json_is_array(found) ? json_array_get(found, (size_t)atoi(key))
					     : json_object_get(found, key);
		if (found == NULL)
			fail_msg("%s is not recorded", path);
	}
	free(copy);
	return found;
}

static inline const char *
reason(const json_t *provenance, const char *path)
{
	const char *text = json_string_value(json_object_get(at(provenance, path), "unavailable"));

	if (text == NULL)
		fail_msg("%s is available", path);
	return text;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif

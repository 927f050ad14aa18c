#include "history_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/json.h"
#include "base/memory.h"
#include "identity/identity.h"
#include "tests/unit/run_command.h"
#include "tests/unit/spec_study.h"

int
history_enter(void **state)
{
	(void)state;
	spec_study_enter();
	spec_study_write("build.ninja.lua", spec_study_entry);
	spec_study_write("experiments/a.lua",
			 "experiment \"a\" { variants = { variant \"x\" { \"lab\" }, variant \"y\" { \"lab\" } } }\n");
	return 0;
}

int
history_leave(void **state)
{
	(void)state;
	run_free();
	spec_study_leave();
	return 0;
}

const char *
history_store(const char *case_id, const char *text)
{
	static struct identity identity;
	char *path;

	identity_from_text(text, &identity);
	identity_free(&identity);
	path = memory_format("results/%s/%.16s/identity.txt", case_id, identity.hex);
	spec_study_write(path, text);
	free(path);
	path = memory_format("results/%s/%.16s/sessions/001/0001-ab-0.log", case_id, identity.hex);
	spec_study_write(path, "a record\n");
	free(path);
	return identity.hex;
}

void
history_make_current(const char *case_id, const char *text)
{
	struct identity identity;
	char *path = memory_format("build/plan/%s.json", case_id), *content;

	identity_from_text(text, &identity);
	spec_study_write(path, "{}\n");
	free(path);
	path = memory_format("build/identity/%s", case_id);
	content = memory_format("%s\n%s", identity.hex, text);
	spec_study_write(path, content);
	identity_free(&identity);
	free(content);
	free(path);
}

void
history_assert_texts(const json_t *list, const char *key, const char *expected)
{
	struct buffer found = BUFFER_EMPTY;
	const json_t *one;
	size_t i;

	json_array_foreach((json_t *)list, i, one)
		buffer_printf(&found, "%s\n", json_get_text(one, key));
	assert_string_equal(buffer_text(&found), expected);
	buffer_free(&found);
}

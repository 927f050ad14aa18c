#include <lauxlib.h>
#include <string.h>

#include "spec/api.h"
#include "spec/fail.h"
#include "spec/glob_files.h"
#include "spec/sandbox.h"
#include "spec/value.h"

/* study{ … } and experiments "…": what the entry alone says. */

static void
check_entry(lua_State *L, const char *callee)
{
	struct host *host = host_of(L);

	if (host->running != NULL && strcmp(host->running->path, host->entry) != 0)
		fail_here(L, "%s belongs in %s, not in a spec", callee, host->entry);
}

static int
api_study(lua_State *L)
{
	static const char *const known[] = {"name", "title", "machine", "private", NULL};
	struct host *host = host_of(L);
	struct study *study = &host->study;
	struct fields fields;

	check_entry(L, "study");
	api_begin(L, &fields, "study");
	fields_only(&fields, known, 0);
	if (host->said_study)
		fields_fail(&fields, "", "said twice; a study has one study{ … }");
	host->said_study = true;
	study->name = fields_text(&fields, "name", NULL);
	if (study->name == NULL)
		fields_fail(&fields, "", "name is missing, as in study{ name = \"vectors\" }");
	api_check_name(&fields, "name", study->name, NAME_FILE);
	study->title = fields_text(&fields, "title", study->name);
	study->machine = fields_text(&fields, "machine", "");
	study->private_paths = fields_texts(&fields, "private", FIELDS_ONE_OR_LIST, NULL);
	api_paths(&fields, "private", &study->private_paths);
	return 0;
}

static bool
is_spec(const char *path)
{
	size_t length = strlen(path);

	return (length > 4 && strcmp(path + length - 4, ".lua") == 0) ||
	       (length > 3 && strcmp(path + length - 3, ".md") == 0);
}

static void
run_spec(lua_State *L, const char *path)
{
	struct host *host = host_of(L);
	struct source *source;

	if (strcmp(path, host->entry) == 0)
		return;
	host_run_file(L, path);
	source = host_source(host, path);
	if (source->experiments == 0)
		fail_at(L, (struct place){source->path, 1},
			"the spec makes no experiment; write experiment \"name\" { … }%s (both the name "
			"and the table)", source->literate ? " in a ```lua block" : "");
}

static int
api_experiments(lua_State *L)
{
	struct host *host = host_of(L);
	const char *pattern = luaL_checkstring(L, 1);
	struct texts found;
	size_t i, ran = 0;

	check_entry(L, "experiments");
	found = glob_files(L, pattern);
	for (i = 0; i < found.count; i++) {
		if (!is_spec(found.items[i]))
			continue;
		run_spec(L, arena_text(host->arena, found.items[i]));
		ran++;
	}
	if (ran == 0)
		fail_here(L, "experiments \"%.200s\": no file *.lua or *.md is there; the path starts at "
			  "the study's root", pattern);
	return 0;
}

void
api_open_study(lua_State *L)
{
	static const struct api_function functions[] = {
		{"study", api_study}, {"experiments", api_experiments}, {NULL, NULL}};

	api_add(L, functions);
}

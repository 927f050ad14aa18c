#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "spec/api.h"
#include "spec/fail.h"
#include "spec/glob_files.h"
#include "spec/graph_model.h"
#include "spec/text.h"
#include "spec/value.h"

/* Files and the environment: all that a spec can know of the world outside, each an input. */

#define READ_BYTES ((size_t)16 << 20)

/* `callee "path"`: the place and the clean path. */
static char *
path_argument(lua_State *L, struct fields *fields, const char *callee)
{
	*fields = (struct fields){L, 0, fail_place(L), callee, NULL, "", NULL};
	if (lua_type(L, 1) != LUA_TSTRING)
		fields_fail(fields, "", "expected a path, as in %s \"data/x.gz\", not %s", callee,
			    value_describe(L, 1));
	return api_path(fields, "", fields_value_text(fields, 1, ""));
}

static int
api_input(lua_State *L)
{
	struct fields fields;
	char *path = path_argument(L, &fields, "input");

	if (strchr(path, '{') == NULL) /* else it is looked for where a case fills it in */
		graph_measured_with(&fields, "", path);
	value_push(L, VALUE_INPUT, path, 0);
	return 1;
}

static int
api_read_file(lua_State *L)
{
	struct host *host = host_of(L);
	struct fields fields;
	char *path = path_argument(L, &fields, "read_file");
	struct buffer bytes = BUFFER_EMPTY;
	struct error error = {0};
	char *kept;
	size_t length;

	api_reads(L, path);
	if (file_read(path, READ_BYTES, &bytes, &error) != 0) {
		buffer_free(&bytes);
		fields_fail(&fields, "", "%s", error.message);
	}
	length = bytes.length;
	kept = arena_span(host->arena, buffer_text(&bytes), length);
	buffer_free(&bytes);
	lua_pushlstring(L, kept, length);
	return 1;
}

static int
api_glob(lua_State *L)
{
	struct texts found = glob_files(L, luaL_checkstring(L, 1));
	size_t i;

	lua_createtable(L, (int)found.count, 0);
	for (i = 0; i < found.count; i++) {
		lua_pushstring(L, found.items[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct setting *)a)->name, ((const struct setting *)b)->name);
}

void
api_asks_environment(lua_State *L, const char *name)
{
	struct host *host = host_of(L);
	struct settings *all = &host->study.environment;
	const char *value = getenv(name);
	size_t i;

	for (i = 0; i < all->count; i++)
		if (strcmp(all->items[i].name, name) == 0)
			return;
	all->items = arena_grow(host->arena, all->items, all->count, &host->environment_room,
				sizeof *all->items);
	all->items[all->count].name = arena_text(host->arena, name);
	all->items[all->count++].value = arena_text(host->arena, value != NULL ? value : "");
	qsort(all->items, all->count, sizeof *all->items, by_name);
}

/* Unset and empty are the same, so that the recorded value says all. */
static int
api_env(lua_State *L)
{
	const char *name = luaL_checkstring(L, 1), *value;

	if (name[0] == '\0' || strchr(name, '=') != NULL)
		fail_here(L, "env: \"%.100s\" is no name of an environment variable", name);
	api_asks_environment(L, name);
	value = getenv(name);
	if (value == NULL || value[0] == '\0')
		return 0;
	if (text_bad_utf8(value, strlen(value)) >= 0)
		fail_here(L, "env: the value of %s is no UTF-8", name);
	lua_pushstring(L, value);
	return 1;
}

void
api_open_files(lua_State *L)
{
	static const struct api_function functions[] = {{"input", api_input},
							{"read_file", api_read_file},
							{"glob", api_glob},
							{"env", api_env},
							{NULL, NULL}};

	api_add(L, functions);
}

#include "spec/api.h"

#include <lauxlib.h>
#include <string.h>

#include "base/buffer.h"
#include "spec/fail.h"
#include "spec/git_source.h"
#include "spec/sandbox.h"
#include "spec/text.h"
#include "spec/value.h"

#define NAME_BYTES 64

void
api_open(lua_State *L)
{
	api_open_study(L);
	api_open_files(L);
	api_open_program(L);
	api_open_python(L);
	api_open_graph(L);
	api_open_git(L);
	api_open_experiment(L);
}

void
api_add(lua_State *L, const struct api_function *functions)
{
	for (; functions->name != NULL; functions++) {
		lua_pushcfunction(L, functions->function);
		sandbox_add(L, functions->name);
	}
}

int
api_named(lua_State *L, const char *callee, lua_CFunction body)
{
	struct place place = fail_place(L);

	if (lua_type(L, 1) != LUA_TSTRING)
		fail_here(L, "%s: expected a name, as in %s \"name\" { … }, not %s", callee, callee,
			  value_describe(L, 1));
	lua_settop(L, 2);
	lua_pushvalue(L, 1);
	lua_pushlightuserdata(L, place.file);
	lua_pushinteger(L, place.line);
	lua_pushcclosure(L, body, 3);
	if (lua_isnil(L, 2))
		return 1;
	lua_pushvalue(L, 2);
	lua_call(L, 1, 1);
	return 1;
}

static void
check_table(lua_State *L, struct fields *fields)
{
	if (!lua_istable(L, 1))
		fields_fail(fields, "", "expected a table { … }, not %s", value_describe(L, 1));
	lua_settop(L, 1);
	fields->index = 1;
}

void
api_begin_named(lua_State *L, struct fields *fields, const char *callee)
{
	fields->L = L;
	fields->place.file = lua_touserdata(L, lua_upvalueindex(2));
	fields->place.line = (int)lua_tointeger(L, lua_upvalueindex(3));
	fields->callee = callee;
	fields->name = lua_tostring(L, lua_upvalueindex(1));
	fields->within = "";
	fields->over = NULL;
	check_table(L, fields);
	lua_pushvalue(L, lua_upvalueindex(1));
	fields->name = fields_value_text(fields, -1, "");
	lua_pop(L, 1);
}

void
api_begin(lua_State *L, struct fields *fields, const char *callee)
{
	fields->L = L;
	fields->place = fail_place(L);
	fields->callee = callee;
	fields->name = NULL;
	fields->within = "";
	fields->over = NULL;
	check_table(L, fields);
}

void
api_check_name(const struct fields *fields, const char *path, const char *name,
	       enum name_rule rule)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_";
	const char *signs = rule == NAME_FILE ? "-.+" : "-.+:=,@";
	const char *at = name;

	if (rule == NAME_FILE && strchr(letters, *at) == NULL)
		fields_fail(fields, path, "the name \"%.100s\" must start with a letter, a digit or _", name);
	while (*at != '\0' && (strchr(letters, *at) != NULL || strchr(signs, *at) != NULL))
		at++;
	if (*at != '\0')
		fields_fail(fields, path, "the name \"%.100s\" may hold letters, digits, _ and the signs %s "
			    "only; a title can hold anything", name, signs);
	if (name[0] == '\0' || strlen(name) > NAME_BYTES)
		fields_fail(fields, path, "a name has 1 to %d bytes, not %zu", NAME_BYTES, strlen(name));
}

char *
api_path(const struct fields *fields, const char *key, const char *path)
{
	struct buffer clean = BUFFER_EMPTY;
	char *kept;

	if (strpbrk(path, "\n\r") != NULL)
		fields_fail(fields, key, "a path holds a line break, which Ninja cannot take");
	if (!text_path(path, &clean)) {
		buffer_free(&clean);
		fields_fail(fields, key, path[0] == '\0'
			    ? "the path \"%s\" is empty"
			    : "the path \"%.300s\" leads out of the study; move the file in, or give an "
			      "absolute path", path);
	}
	kept = arena_text(host_of(fields->L)->arena, clean.bytes);
	buffer_free(&clean);
	return kept;
}

void
api_paths(const struct fields *fields, const char *key, struct texts *paths)
{
	size_t i;

	for (i = 0; i < paths->count; i++)
		paths->items[i] = api_path(fields, key, paths->items[i]);
}

/* True the first time that `path` comes into the set. */
static bool
first_time(lua_State *L, const char *set, const char *path)
{
	bool first;

	luaL_checkstack(L, 8, "files");
	luaL_getsubtable(L, LUA_REGISTRYINDEX, set);
	lua_pushstring(L, path);
	first = lua_rawget(L, -2) == LUA_TNIL;
	lua_pop(L, 1);
	if (first) {
		lua_pushboolean(L, 1);
		lua_setfield(L, -2, path);
	}
	lua_pop(L, 1);
	return first;
}

void
api_reads(lua_State *L, const char *path)
{
	struct host *host = host_of(L);

	if (first_time(L, "assay.reads", path))
		texts_add(host->arena, &host->study.read_files, path);
}

void
api_needs(const struct fields *fields, const char *key, const char *path)
{
	struct host *host = host_of(fields->L);
	struct needed_file *needed;

	if (!first_time(fields->L, "assay.needed", path))
		return;
	host->needed = arena_grow(host->arena, host->needed, host->needed_count,
				  &host->needed_capacity, sizeof *host->needed);
	needed = &host->needed[host->needed_count++];
	needed->path = arena_text(host->arena, path);
	needed->callee = fields->callee;
	needed->name = fields->name;
	needed->key = fields->within[0] != '\0'
			? arena_printf(host->arena, "%s%s%s", fields->within, key[0] == '[' ? "" : ".", key)
			: key;
	needed->place = fields->place;
}

void
api_needs_all(const struct fields *fields, const char *key, const struct texts *paths)
{
	size_t i;

	for (i = 0; i < paths->count; i++)
		api_needs(fields, key, paths->items[i]);
}

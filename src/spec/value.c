#include "spec/value.h"

#include <lauxlib.h>
#include <string.h>

#include "spec/fail.h"
#include "spec/text.h"

static const char *
short_name(const char *kind)
{
	return strchr(kind, '.') + 1;
}

/* lab.path, lab.name: for raw builds. */
static int
index_value(lua_State *L)
{
	const struct value *program = value_get(L, 1, VALUE_PROGRAM);
	const char *key = luaL_checkstring(L, 2), *path = value_path(L, 1);

	if (path != NULL && strcmp(key, "path") == 0)
		lua_pushstring(L, path);
	else if (program != NULL && strcmp(key, "name") == 0)
		lua_pushstring(L, host_of(L)->study.programs[program->number].name);
	else if (program != NULL && strcmp(key, "folder") == 0 &&
		 host_of(L)->study.programs[program->number].folder != NULL)
		lua_pushstring(L, host_of(L)->study.programs[program->number].folder);
	else
		fail_here(L, "%s has no field \"%.100s\"%s", value_describe(L, 1), key,
			  path != NULL ? "; it has path" : "");
	return 1;
}

static int
value_tostring(lua_State *L)
{
	const char *path = value_path(L, 1);

	lua_pushstring(L, path != NULL ? path : value_describe(L, 1));
	return 1;
}

void
value_push(lua_State *L, const char *kind, void *object, size_t number)
{
	struct value *value = lua_newuserdatauv(L, sizeof *value, 0);

	value->object = object;
	value->number = number;
	if (luaL_newmetatable(L, kind)) {
		lua_pushcfunction(L, index_value);
		lua_setfield(L, -2, "__index");
		lua_pushcfunction(L, value_tostring);
		lua_setfield(L, -2, "__tostring");
		lua_pushboolean(L, 0);
		lua_setfield(L, -2, "__metatable");
	}
	lua_setmetatable(L, -2);
}

const struct value *
value_get(lua_State *L, int index, const char *kind)
{
	return luaL_testudata(L, index, kind);
}

const char *
value_path(lua_State *L, int index)
{
	const struct value *value = value_get(L, index, VALUE_INPUT);

	if (value != NULL)
		return value->object;
	value = value_get(L, index, VALUE_PROGRAM);
	return value != NULL ? host_of(L)->study.programs[value->number].path : NULL;
}

static const char *
describe_userdata(lua_State *L, int index)
{
	static const char *const kinds[] = {VALUE_PROGRAM, VALUE_TOOLCHAIN, VALUE_INPUT,
					    VALUE_VARIANT, VALUE_FIGURE,    VALUE_CLAIM, VALUE_GIT};
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (value_get(L, index, kinds[i]) != NULL)
			return arena_printf(host_of(L)->arena, "a%s %s",
					    kinds[i][strlen("assay.")] == 'i' ? "n" : "",
					    short_name(kinds[i]));
	return "a userdata";
}

const char *
value_describe(lua_State *L, int index)
{
	struct host *host = host_of(L);
	char text[TEXT_NUMBER];

	switch (lua_type(L, index)) {
	case LUA_TNUMBER:
		if (lua_isinteger(L, index))
			return arena_printf(host->arena, "the number %lld",
					    (long long)lua_tointeger(L, index));
		if (lua_tonumber(L, index) != lua_tonumber(L, index))
			return "the number nan"; /* whose sign printf would show */
		text_number(lua_tonumber(L, index), text);
		return arena_printf(host->arena, "the number %s", text);
	case LUA_TSTRING:
		return arena_printf(host->arena, "the text \"%.100s\"", lua_tostring(L, index));
	case LUA_TBOOLEAN:
		return lua_toboolean(L, index) ? "true" : "false";
	case LUA_TUSERDATA:
		return describe_userdata(L, index);
	case LUA_TFUNCTION:
		return "a function (is the { … } after a name missing?)";
	case LUA_TTABLE:
		return "a table";
	default:
		return "nil";
	}
}

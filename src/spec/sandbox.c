#include "spec/sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>

#include "spec/fail.h"
#include "spec/suggest.h"

#define SHARED "assay.shared"

/* Names that authors look for, and what to write instead. */
static const struct {
	const char *name, *instead;
} withheld[] = {
	{"os", "specs run no commands and read no clock; use rule and build, prepare = { … }, or env \"NAME\""},
	{"io", "use read_file \"path\", input \"path\" or glob \"pattern\", which the graph then watches"},
	{"require", "a spec stands alone; give shared things a name in build.ninja.lua (runner, program, toolchain)"},
	{"dofile", "name the file with experiments \"…\" in build.ninja.lua"},
	{"loadfile", "name the file with experiments \"…\" in build.ninja.lua"},
	{"load", "write the code itself"},
	{"debug", "it could change what a spec means from outside"},
	{"package", "a spec stands alone"},
	{"collectgarbage", "specs give the same study whenever memory is freed"},
	{"coroutine", "use functions and loops"},
	{"pcall", "a wrong spec must stop here and say why"},
	{"xpcall", "a wrong spec must stop here and say why"},
	{"rawset", "assign with t[key] = value"},
	{"rawget", "read with t[key]"},
	{"_G", "write the name itself"},
};

void
sandbox_push_shared(lua_State *L, const char *name)
{
	lua_getfield(L, LUA_REGISTRYINDEX, SHARED);
	lua_pushstring(L, name);
	lua_rawget(L, -2);
	lua_remove(L, -2);
}

void
sandbox_add(lua_State *L, const char *name)
{
	lua_getfield(L, LUA_REGISTRYINDEX, SHARED);
	lua_insert(L, -2);
	lua_setfield(L, -2, name);
	lua_pop(L, 1);
}

static void
refuse_withheld(lua_State *L, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof withheld / sizeof *withheld; i++)
		if (strcmp(withheld[i].name, name) == 0)
			fail_here(L, "\"%s\" is not available in a spec: %s", name,
				  withheld[i].instead);
}

static int
index_environment(lua_State *L)
{
	const char *name, *nearest;
	const char **shared, **own;
	size_t shared_count, own_count;

	lua_getfield(L, LUA_REGISTRYINDEX, SHARED);
	lua_pushvalue(L, 2);
	if (lua_rawget(L, -2) != LUA_TNIL)
		return 1;
	if (lua_type(L, 2) != LUA_TSTRING)
		return 1;
	name = lua_tostring(L, 2);
	refuse_withheld(L, name);
	lua_pop(L, 1);
	shared = sandbox_names(L, -1, &shared_count);
	own = sandbox_names(L, 1, &own_count);
	nearest = suggest_nearest(name, own, own_count);
	if (nearest == NULL)
		nearest = suggest_nearest(name, shared, shared_count);
	if (nearest != NULL)
		fail_here(L, "the global \"%.100s\" is not defined; did you mean \"%s\"?", name, nearest);
	fail_here(L, "the global \"%.100s\" is not defined; each file sees its own globals and the "
		  "names in docs/spec.md", name);
}

void
sandbox_push_environment(lua_State *L)
{
	lua_newtable(L);
	if (luaL_newmetatable(L, "assay.environment")) {
		lua_pushcfunction(L, index_environment);
		lua_setfield(L, -2, "__index");
		lua_pushboolean(L, 0);
		lua_setfield(L, -2, "__metatable");
	}
	lua_setmetatable(L, -2);
}

/* Upvalues: the real table, its name. */
static int
index_read_only(lua_State *L)
{
	const char *table = lua_tostring(L, lua_upvalueindex(2));
	const char **names;
	size_t count;

	lua_pushvalue(L, 2);
	if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
		return 1;
	if (lua_type(L, 2) != LUA_TSTRING)
		fail_here(L, "%s has no such entry", table);
	if (strcmp(table, "math") == 0 && strncmp(lua_tostring(L, 2), "random", 6) == 0)
		fail_here(L, "math.%s is not available in a spec: the same spec must give the same "
			  "study", lua_tostring(L, 2));
	names = sandbox_names(L, lua_upvalueindex(1), &count);
	fail_unknown(L, fail_place(L), lua_tostring(L, 2), names, count, "%s.%.100s is not defined",
		     table, lua_tostring(L, 2));
}

/* Upvalue: the name. */
static int
refuse_change(lua_State *L)
{
	fail_here(L, "%s can be read, not changed", lua_tostring(L, lua_upvalueindex(1)));
}

void
sandbox_read_only(lua_State *L, const char *name)
{
	lua_newtable(L);
	lua_newtable(L);
	lua_pushvalue(L, -3);
	lua_pushstring(L, name);
	lua_pushcclosure(L, index_read_only, 2);
	lua_setfield(L, -2, "__index");
	lua_pushstring(L, name);
	lua_pushcclosure(L, refuse_change, 1);
	lua_setfield(L, -2, "__newindex");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_setmetatable(L, -2);
	lua_remove(L, -2);
}

/* Finalizers run when memory happens to be freed, and weak tables lose entries then. */
static int
safe_setmetatable(lua_State *L)
{
	static const char *const refused[] = {"__gc", "__mode", "__close"};
	size_t i;

	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
	if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
		fail_here(L, "the metatable of this table is protected");
	for (i = 0; lua_istable(L, 2) && i < sizeof refused / sizeof *refused; i++) {
		lua_pushstring(L, refused[i]);
		if (lua_rawget(L, 2) != LUA_TNIL)
			fail_here(L, "%s is not available in a spec: it depends on when memory is freed",
				  refused[i]);
		lua_pop(L, 1);
	}
	lua_settop(L, 2);
	lua_setmetatable(L, 1);
	return 1;
}

/* Those of texts and of our values are shared by all files. */
static int
safe_getmetatable(lua_State *L)
{
	luaL_checkany(L, 1);
	if (!lua_istable(L, 1) || !lua_getmetatable(L, 1))
		return 0;
	lua_getfield(L, -1, "__metatable");
	if (lua_isnil(L, -1))
		lua_pop(L, 1);
	return 1;
}

static const luaL_Reg replaced[] = {
	{"pairs", sandbox_pairs},
	{"next", sandbox_next},
	{"tostring", sandbox_tostring},
	{"print", sandbox_print},
	{"setmetatable", safe_setmetatable},
	{"getmetatable", safe_getmetatable},
	{NULL, NULL},
};

static void
open_base(lua_State *L)
{
	static const char *const kept[] = {"assert", "error", "ipairs", "select", "tonumber", "type"};
	const luaL_Reg *entry;
	size_t i;

	luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
	for (i = 0; i < sizeof kept / sizeof *kept; i++) {
		lua_getfield(L, -1, kept[i]);
		sandbox_add(L, kept[i]);
	}
	lua_pop(L, 1);
	for (entry = replaced; entry->name != NULL; entry++) {
		lua_pushcfunction(L, entry->func);
		sandbox_add(L, entry->name);
	}
}

static void
drop(lua_State *L, const char *name)
{
	lua_pushnil(L);
	lua_setfield(L, -2, name);
}

static void
open_libraries(lua_State *L)
{
	/* The old ones are there or not by how Lua was built: specs must not depend on it. */
	static const char *const dropped[] = {"random", "randomseed", "atan2", "cosh", "sinh", "tanh",
					      "pow",	"frexp",      "ldexp", "log10"};
	size_t i;

	luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 0);
	drop(L, "dump");
	lua_getfield(L, -1, "format");
	lua_pushcclosure(L, sandbox_format, 1);
	lua_setfield(L, -2, "format");
	sandbox_read_only(L, "string");
	sandbox_add(L, "string");

	luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 0);
	lua_pushcfunction(L, sandbox_sort);
	lua_setfield(L, -2, "sort");
	sandbox_read_only(L, "table");
	sandbox_add(L, "table");

	luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 0);
	for (i = 0; i < sizeof dropped / sizeof *dropped; i++)
		drop(L, dropped[i]);
	sandbox_read_only(L, "math");
	sandbox_add(L, "math");

	luaL_requiref(L, LUA_UTF8LIBNAME, luaopen_utf8, 0);
	sandbox_read_only(L, "utf8");
	sandbox_add(L, "utf8");
}

void
sandbox_open(lua_State *L)
{
	lua_newtable(L);
	lua_setfield(L, LUA_REGISTRYINDEX, SHARED);
	open_base(L);
	open_libraries(L);
}

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spec/blocked.h"
#include "spec/fail.h"
#include "spec/format_number.h"
#include "spec/host_state.h"
#include "spec/results_view.h"
#include "spec/sandbox.h"
#include "spec/suggest.h"
#include "spec/text.h"
#include "spec/value.h"

/*
 * `{{ expression }}`: a Lua expression over the results. It sees the names of the results, then
 * the globals that its spec made, then the functions that shape numbers and a few of Lua's.
 */

#define EXPRESSION_STEPS 10000000LL

struct evaluation {
	const struct experiment *experiment;
	const struct place *place;
	const char *expression;
	const json_t *results;
	struct buffer *out;
};

#define RESULTS "assay.document"

static bool
matches(json_t *point, const char *name, lua_State *L, int index)
{
	json_t *value = json_object_get(point, name);

	if (json_is_number(value))
		return lua_isnumber(L, index) && lua_tonumber(L, index) == json_number_value(value);
	if (json_is_boolean(value))
		return lua_isboolean(L, index) && lua_toboolean(L, index) == json_is_true(value);
	return lua_type(L, index) == LUA_TSTRING &&
	       strcmp(json_string_value(value), lua_tostring(L, index)) == 0;
}

static void
check_dimension(lua_State *L, json_t *point, const char *name)
{
	const char *names[64], *key;
	size_t count = 0;
	json_t *value;

	if (json_object_get(point, name) != NULL)
		return;
	json_object_foreach(point, key, value)
		if (count < 64)
			names[count++] = key;
	fail_unknown(L, fail_place(L), name, names, count, "at: \"%.100s\" is no dimension of the sweep",
		     name);
}

/* Whether the case lies at the point in the table at 1. */
static bool
lies_at(lua_State *L, json_t *one)
{
	json_t *point = json_object_get(one, "point");
	bool all = true;

	for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
		if (lua_type(L, -2) != LUA_TSTRING)
			fail_here(L, "at: write at{ n = 1024 }");
		check_dimension(L, point, lua_tostring(L, -2));
		all = all && matches(point, lua_tostring(L, -2), L, -1);
	}
	return all;
}

/* at{ n = 4194304 }, at(): the one case there. */
static int
eval_at(lua_State *L)
{
	json_t *cases, *found = NULL;
	size_t i, count = 0;

	if (lua_isnoneornil(L, 1)) {
		lua_settop(L, 0);
		lua_newtable(L);
	}
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	lua_getfield(L, LUA_REGISTRYINDEX, RESULTS);
	cases = json_object_get(lua_touserdata(L, -1), "cases");
	for (i = 0; i < json_array_size(cases); i++)
		if (lies_at(L, json_array_get(cases, i))) {
			found = json_array_get(cases, i);
			count++;
		}
	if (count == 0)
		fail_here(L, "at: no case is at this point; the experiment has %zu cases",
			  json_array_size(cases));
	if (count > 1)
		fail_here(L, "at: %zu cases are at this point; name every dimension of the sweep", count);
	view_push(L, found, VIEW_CASE, "the case");
	return 1;
}

static json_t *
document(lua_State *L)
{
	json_t *results;

	lua_getfield(L, LUA_REGISTRYINDEX, RESULTS);
	results = lua_touserdata(L, -1);
	lua_pop(L, 1);
	return results;
}

/* Pushes what the spec assigned to a global of this name. */
static bool
push_spec_global(lua_State *L)
{
	lua_pushvalue(L, lua_upvalueindex(1));
	if (!lua_istable(L, -1)) {
		lua_pop(L, 1);
		return false;
	}
	lua_pushvalue(L, 2);
	if (lua_rawget(L, -2) != LUA_TNIL)
		return true;
	lua_pop(L, 2);
	return false;
}

static const char *const library[] = {"math", "string", "table", "tostring", "ipairs", "pairs",
				      "tonumber", "type", "select"};
static const luaL_Reg helpers[] = {
	{"at", eval_at},	   {"fixed", format_fixed},	{"percent", format_percent},
	{"si", format_si},	   {"integer", format_integer}, {"treatment", blocked_name}, {NULL, NULL},
};

static _Noreturn void
fail_no_name(lua_State *L, const char *name)
{
	const char *names[64], *key;
	size_t count = 0, i;
	json_t *value;

	json_object_foreach(document(L), key, value)
		if (count < 16)
			names[count++] = key;
	for (i = 0; helpers[i].name != NULL; i++)
		names[count++] = helpers[i].name;
	for (i = 0; i < sizeof library / sizeof *library; i++)
		names[count++] = library[i];
	if (lua_istable(L, lua_upvalueindex(1))) {
		size_t own, k;
		const char **globals = sandbox_names(L, lua_upvalueindex(1), &own);

		for (k = 0; k < own && count < 64; k++)
			names[count++] = globals[k];
	}
	fail_unknown(L, fail_place(L), name, names, count,
		     "the text uses \"%.100s\", which is no result and no global of the spec", name);
}

/* Upvalue: the spec's environment, or nil. */
static int
index_names(lua_State *L)
{
	const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
	json_t *found = json_object_get(document(L), name);
	size_t i;

	if (found != NULL) {
		view_push(L, found, VIEW_PLAIN, arena_text(host_of(L)->arena, name));
		return 1;
	}
	if (push_spec_global(L))
		return 1;
	for (i = 0; helpers[i].name != NULL; i++)
		if (strcmp(helpers[i].name, name) == 0) {
			lua_pushcfunction(L, helpers[i].func);
			return 1;
		}
	for (i = 0; i < sizeof library / sizeof *library; i++)
		if (strcmp(library[i], name) == 0) {
			sandbox_push_shared(L, name);
			return 1;
		}
	fail_no_name(L, name);
}

static int
refuse_global(lua_State *L)
{
	fail_here(L, "the text reads results and changes nothing; assign \"%.100s\" in the spec",
		  lua_tostring(L, 2));
}

static void
push_names(lua_State *L, const char *file)
{
	lua_newtable(L);
	lua_newtable(L);
	host_push_environment(L, file);
	lua_pushcclosure(L, index_names, 1);
	lua_setfield(L, -2, "__index");
	lua_pushcfunction(L, refuse_global);
	lua_setfield(L, -2, "__newindex");
	lua_setmetatable(L, -2);
}

/* The expression as a chunk whose lines are the file's. */
static void
push_chunk(lua_State *L, const struct evaluation *e)
{
	struct arena *arena = host_of(L)->arena;
	size_t lines = e->place->line > 1 ? (size_t)e->place->line - 1 : 0, total;
	const char *message;
	char *chunk;

	chunk = arena_alloc(arena, lines + strlen(e->expression) + sizeof "return \n", 1);
	memset(chunk, '\n', lines);
	total = lines + (size_t)sprintf(chunk + lines, "return %s\n", e->expression);
	if (luaL_loadbufferx(L, chunk, total, lua_pushfstring(L, "@%s", e->place->file), "t") == LUA_OK)
		return;
	message = lua_tostring(L, -1);
	message = strstr(message, ": ") != NULL ? strstr(message, ": ") + 2 : message;
	fail_at(L, *e->place, "{{ %.200s }} is no Lua expression: %s", e->expression, message);
}

static void
append_value(lua_State *L, const struct evaluation *e)
{
	char text[TEXT_NUMBER];

	if (view_json(L, -1) != NULL)
		fail_at(L, *e->place, "{{ %.200s }} gives a whole table of results; pick one of its fields",
			e->expression);
	if (lua_type(L, -1) == LUA_TSTRING) {
		buffer_puts(e->out, lua_tostring(L, -1));
	} else if (lua_isinteger(L, -1)) {
		buffer_printf(e->out, "%lld", (long long)lua_tointeger(L, -1));
	} else if (lua_type(L, -1) == LUA_TNUMBER) {
		if (!isfinite(lua_tonumber(L, -1)))
			fail_at(L, *e->place, "{{ %.200s }} gives no finite number", e->expression);
		text_number(lua_tonumber(L, -1), text);
		buffer_puts(e->out, text);
	} else if (lua_isboolean(L, -1)) {
		buffer_puts(e->out, lua_toboolean(L, -1) ? "true" : "false");
	} else {
		fail_at(L, *e->place, "{{ %.200s }} gives %s; it must give a text or a number",
			e->expression, value_describe(L, -1));
	}
}

static int
evaluate(lua_State *L)
{
	const struct evaluation *e = lua_touserdata(L, 1);

	lua_pushlightuserdata(L, (void *)e->results);
	lua_setfield(L, LUA_REGISTRYINDEX, RESULTS);
	lua_pushstring(L, e->experiment->case_count > 0 ? e->experiment->cases[0].treatments[0].name
							: "");
	lua_setfield(L, LUA_REGISTRYINDEX, "assay.baseline");
	push_chunk(L, e);
	push_names(L, e->place->file);
	lua_setupvalue(L, -2, 1);
	lua_call(L, 0, 1);
	append_value(L, e);
	return 0;
}

int
host_eval(struct host *host, const struct experiment *experiment, const struct place *place,
	  const char *expression, const json_t *results, struct buffer *out, struct error *error)
{
	struct evaluation e = {experiment, place, expression, results, out};

	if (host_protect(host, evaluate, &e, EXPRESSION_STEPS, error) == 0)
		return 0;
	if (!host->unavailable)
		return -1;
	buffer_puts(out, "unavailable");
	return 1;
}

#include <lauxlib.h>
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "spec/api.h"
#include "spec/expand.h"
#include "spec/fail.h"
#include "spec/sandbox.h"
#include "spec/text.h"
#include "spec/value.h"

#define DIMENSIONS 16

/* 16384.0 is 16384: how a number was written is no part of a point. */
static json_t *
number_value(lua_State *L)
{
	double number = lua_tonumber(L, -1);

	if (lua_isinteger(L, -1))
		return json_integer(lua_tointeger(L, -1));
	if (number == floor(number) && fabs(number) < 9.2e18)
		return json_integer((json_int_t)number);
	return json_real(number);
}

struct point_value
expand_value(const struct fields *fields, const char *name, const char *path)
{
	lua_State *L = fields->L;
	struct arena *arena = host_of(L)->arena;
	struct point_value value = {arena_text(arena, name), NULL, NULL};

	if (lua_isboolean(L, -1)) {
		value.value = json_boolean(lua_toboolean(L, -1));
		value.text = arena_text(arena, lua_toboolean(L, -1) ? "true" : "false");
		return value;
	}
	if (lua_type(L, -1) != LUA_TNUMBER && lua_type(L, -1) != LUA_TSTRING)
		fields_fail(fields, path, "must be a number, a text, true or false, not %s",
			    value_describe(L, -1));
	value.text = fields_value_text(fields, -1, path); /* refuses what is not finite */
	value.value = arena_json(arena, lua_type(L, -1) == LUA_TNUMBER ? number_value(L)
								       : json_string(value.text));
	return value;
}

/* Through a Lua table: a sweep may be long. */
static void
refuse_twice(const struct fields *list, const struct dimension *dimension)
{
	lua_State *L = list->L;
	size_t i;

	lua_newtable(L);
	for (i = 0; i < dimension->count; i++) {
		const struct point_value *value = &dimension->values[i];

		lua_pushfstring(L, "%d%s", (int)json_typeof(value->value), value->text);
		lua_pushvalue(L, -1);
		if (lua_rawget(L, -3) != LUA_TNIL)
			fields_fail(list, "", "the value %s is there twice", value->text);
		lua_pop(L, 1);
		lua_pushboolean(L, 1);
		lua_rawset(L, -3);
	}
	lua_pop(L, 1);
}

static void
read_dimension(const struct fields *list, const char *name, struct dimension *dimension)
{
	lua_State *L = list->L;
	struct arena *arena = host_of(L)->arena;
	size_t i;

	api_check_name(list, "", name, NAME_FILE);
	if (strpbrk(name, "-.+") != NULL)
		fields_fail(list, "", "the name must be one that Lua and {name} can hold: letters, digits, _");
	fields_only(list, NULL, EXPAND_CASES);
	dimension->name = arena_text(arena, name);
	dimension->count = lua_rawlen(L, list->index);
	if (dimension->count == 0)
		fields_fail(list, "", "the list of values is empty; give at least one, or leave the "
			    "dimension out");
	dimension->values = arena_alloc(arena, dimension->count, sizeof *dimension->values);
	for (i = 0; i < dimension->count; i++) {
		lua_rawgeti(L, list->index, (lua_Integer)i + 1);
		dimension->values[i] = expand_value(list, name, arena_printf(arena, "[%zu]", i + 1));
		lua_pop(L, 1);
	}
	refuse_twice(list, dimension);
}

static struct dimension *
add_dimension(const struct fields *sweep, struct experiment *out, const char *name)
{
	size_t i;

	for (i = 0; i < out->sweep_count; i++)
		if (strcmp(out->sweep[i].name, name) == 0)
			fields_fail(sweep, "", "the dimension \"%s\" is there twice", name);
	if (out->sweep_count >= DIMENSIONS)
		fields_fail(sweep, "", "more than %d dimensions", DIMENSIONS);
	return &out->sweep[out->sweep_count++];
}

/* sweep = { { "n", { 1, 2 } }, … }: the order is the author's. */
static void
read_pairs(const struct fields *sweep, struct experiment *out)
{
	lua_State *L = sweep->L;
	size_t count = lua_rawlen(L, sweep->index), i;

	fields_only(sweep, NULL, DIMENSIONS);
	for (i = 1; i <= count; i++) {
		struct fields pair, values;
		const char *name;

		fields_open_item(sweep, "", (int)i, &pair);
		fields_only(&pair, NULL, 2);
		lua_rawgeti(L, pair.index, 1);
		if (lua_type(L, -1) != LUA_TSTRING)
			fields_fail(&pair, "", "must be { \"name\", { values } }");
		name = fields_value_text(&pair, -1, "");
		fields_open_item(&pair, "", 2, &values);
		read_dimension(&values, name, add_dimension(&pair, out, name));
		lua_pop(L, 3);
	}
}

void
expand_read_sweep(const struct fields *experiment, struct experiment *out)
{
	lua_State *L = experiment->L;
	struct fields sweep, values;
	const char **names;
	size_t count, i;

	if (!fields_open(experiment, "sweep", &sweep))
		return;
	out->sweep = arena_alloc(host_of(L)->arena, DIMENSIONS, sizeof *out->sweep);
	if (lua_rawlen(L, sweep.index) > 0) {
		read_pairs(&sweep, out);
		lua_pop(L, 1);
		return;
	}
	names = sandbox_names(L, sweep.index, &count);
	if (sandbox_sorted_keys(L, sweep.index) != count)
		fields_fail(&sweep, "", "must be a table name = { values }");
	for (i = 0; i < count; i++) {
		fields_open(&sweep, names[i], &values);
		read_dimension(&values, names[i], add_dimension(&sweep, out, names[i]));
		lua_pop(L, 1);
	}
	if (count == 0)
		fields_fail(&sweep, "", "the sweep is empty; name a dimension, as in { n = { 1, 2 } }, or "
			    "leave it out");
	lua_pop(L, 3);
}

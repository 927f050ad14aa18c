#include "spec/sweep_point.h"

#include <lauxlib.h>

#include "spec/fail.h"
#include "spec/sandbox.h"

static void
push_value(lua_State *L, const struct point_value *value)
{
	if (json_is_integer(value->value))
		lua_pushinteger(L, json_integer_value(value->value));
	else if (json_is_real(value->value))
		lua_pushnumber(L, json_real_value(value->value));
	else if (json_is_boolean(value->value))
		lua_pushboolean(L, json_is_true(value->value));
	else
		lua_pushstring(L, value->text);
}

/* Upvalues of p's functions: the derive functions, those being computed, the values so far. */
#define DERIVE lua_upvalueindex(1)
#define BUSY lua_upvalueindex(2)
#define VALUES lua_upvalueindex(3)

static _Noreturn void
fail_no_value(lua_State *L, const char *name)
{
	const char **names;
	size_t count;

	names = sandbox_names(L, VALUES, &count);
	fail_unknown(L, fail_place(L), name, names, count, "p.%.100s is neither in the sweep nor derived",
		     name);
}

static void
set_busy(lua_State *L, bool busy)
{
	lua_pushvalue(L, 2);
	if (busy)
		lua_pushboolean(L, 1);
	else
		lua_pushnil(L);
	lua_rawset(L, BUSY);
}

static int
index_point(lua_State *L)
{
	const char *name = luaL_checkstring(L, 2);

	luaL_checkstack(L, 10, "derived values");
	lua_pushvalue(L, 2);
	if (lua_rawget(L, VALUES) != LUA_TNIL)
		return 1;
	lua_pushvalue(L, 2);
	if (!lua_istable(L, DERIVE) || lua_rawget(L, DERIVE) == LUA_TNIL)
		fail_no_value(L, name);
	lua_pushvalue(L, 2);
	if (lua_rawget(L, BUSY) != LUA_TNIL)
		fail_here(L, "the derived value %.100s needs itself", name);
	lua_pop(L, 1);
	set_busy(L, true);
	lua_pushvalue(L, 1);
	lua_call(L, 1, 1);
	set_busy(L, false);
	lua_pushvalue(L, 2);
	lua_pushvalue(L, -2);
	lua_rawset(L, VALUES);
	return 1;
}

static int
refuse_assignment(lua_State *L)
{
	fail_here(L, "p can be read, not changed; return the value from a function in derive");
}

/* Upvalue: the values. */
static int
pairs_of_point(lua_State *L)
{
	lua_settop(L, 0);
	lua_pushvalue(L, lua_upvalueindex(1));
	return sandbox_pairs(L);
}

static void
push_values(lua_State *L, const struct point *point)
{
	size_t i;

	lua_createtable(L, 0, (int)point->count);
	for (i = 0; i < point->count; i++) {
		push_value(L, &point->items[i]);
		lua_setfield(L, -2, point->items[i].name);
	}
}

/* An empty table that answers for the values, so that none can be changed. */
void
sweep_point_push(lua_State *L, int derive, const struct point *point)
{
	lua_newtable(L);
	lua_createtable(L, 0, 4);
	if (derive != 0)
		lua_pushvalue(L, derive);
	else
		lua_pushnil(L);
	lua_newtable(L);
	push_values(L, point);
	lua_pushvalue(L, -1);
	lua_pushcclosure(L, pairs_of_point, 1);
	lua_setfield(L, -5, "__pairs");
	lua_pushcclosure(L, index_point, 3);
	lua_setfield(L, -2, "__index");
	lua_pushcfunction(L, refuse_assignment);
	lua_setfield(L, -2, "__newindex");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_setmetatable(L, -2);
}

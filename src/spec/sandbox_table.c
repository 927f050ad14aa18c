#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "spec/fail.h"
#include "spec/sandbox.h"

/*
 * Iteration and sorting that give the same order in every run: Lua seeds its hash and the pivots
 * of its sort from addresses and the clock.
 */

struct key {
	int type;
	lua_Number number;
	const char *text;
	size_t length;
	int place; /* on the stack-held list, to push it again */
};

static int
by_order(const void *one, const void *other)
{
	static const int rank[] = {[LUA_TBOOLEAN] = 2, [LUA_TNUMBER] = 0, [LUA_TSTRING] = 1};
	const struct key *a = one, *b = other;
	size_t least;
	int order;

	if (a->type != b->type)
		return rank[a->type] - rank[b->type];
	if (a->type != LUA_TSTRING)
		return (a->number > b->number) - (a->number < b->number);
	least = a->length < b->length ? a->length : b->length;
	order = least > 0 ? memcmp(a->text, b->text, least) : 0;
	return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static size_t
count_keys(lua_State *L, int index)
{
	size_t count = 0;

	for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1))
		count++;
	return count;
}

/* The key on the stack at `at`; the text stays the table's. */
static struct key
describe(lua_State *L, int at, int place)
{
	struct key key = {lua_type(L, at), 0, NULL, 0, place};

	if (key.type == LUA_TNUMBER)
		key.number = lua_tonumber(L, at);
	else if (key.type == LUA_TBOOLEAN)
		key.number = lua_toboolean(L, at);
	else if (key.type == LUA_TSTRING)
		key.text = lua_tolstring(L, at, &key.length);
	else
		fail_here(L, "a table whose keys are %ss has no order that is the same in every run",
			  lua_typename(L, key.type));
	return key;
}

/* Pushes memory (Lua's) with the keys in order, and a list that holds them unordered. */
static struct key *
read_keys(lua_State *L, int index, size_t *count)
{
	struct key *keys;
	int list, i = 0;

	*count = count_keys(L, index);
	keys = lua_newuserdatauv(L, (*count + 1) * sizeof *keys, 0);
	lua_createtable(L, (int)*count, 0);
	list = lua_gettop(L);
	for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
		keys[i] = describe(L, -2, i + 1);
		lua_pushvalue(L, -2);
		lua_rawseti(L, list, ++i);
	}
	qsort(keys, *count, sizeof *keys, by_order);
	return keys;
}

size_t
sandbox_sorted_keys(lua_State *L, int index)
{
	struct key *keys;
	size_t count, i;
	int list;

	index = lua_absindex(L, index);
	luaL_checkstack(L, 8, "keys");
	keys = read_keys(L, index, &count);
	list = lua_gettop(L);
	lua_createtable(L, (int)count, 0);
	for (i = 0; i < count; i++) {
		lua_rawgeti(L, list, keys[i].place);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_replace(L, list - 1); /* over the keys */
	lua_settop(L, list - 1);
	return count;
}

const char **
sandbox_names(lua_State *L, int index, size_t *count)
{
	struct key *keys;
	const char **names;
	size_t all, i;

	index = lua_absindex(L, index);
	luaL_checkstack(L, 8, "names");
	keys = read_keys(L, index, &all);
	names = lua_newuserdatauv(L, (all + 1) * sizeof *names, 0);
	*count = 0;
	for (i = 0; i < all; i++)
		if (keys[i].type == LUA_TSTRING)
			names[(*count)++] = keys[i].text;
	lua_replace(L, -3);
	lua_pop(L, 1);
	return names;
}

/* Upvalues: the table, its keys in order, how many were given. */
static int
step(lua_State *L)
{
	lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));

	for (;;) {
		lua_pushinteger(L, ++i);
		lua_copy(L, -1, lua_upvalueindex(3));
		if (lua_rawgeti(L, lua_upvalueindex(2), i) == LUA_TNIL)
			return 1;
		lua_pushvalue(L, -1);
		if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
			return 2;
		lua_pop(L, 3); /* removed meanwhile */
	}
}

int
sandbox_pairs(lua_State *L)
{
	luaL_checkany(L, 1);
	if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
		lua_pushvalue(L, 1);
		lua_call(L, 1, 3);
		return 3;
	}
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_pushvalue(L, 1);
	sandbox_sorted_keys(L, 1);
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, step, 3);
	return 1;
}

int
sandbox_next(lua_State *L)
{
	struct key *keys, after;
	size_t count, i;

	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 2);
	keys = read_keys(L, 1, &count);
	if (!lua_isnil(L, 2))
		after = describe(L, 2, 0);
	for (i = 0; i < count; i++)
		if (lua_isnil(L, 2) || by_order(&keys[i], &after) > 0) {
			lua_rawgeti(L, -1, keys[i].place);
			lua_pushvalue(L, -1);
			lua_rawget(L, 1);
			return 2;
		}
	lua_pushnil(L);
	return 1;
}

/* Whether from[right] must stand before from[left]. */
static int
right_first(lua_State *L, int from, lua_Integer left, lua_Integer right)
{
	int answer;

	if (lua_isnil(L, 2)) {
		lua_rawgeti(L, from, right);
		lua_rawgeti(L, from, left);
		answer = lua_compare(L, -2, -1, LUA_OPLT);
		lua_pop(L, 2);
		return answer;
	}
	lua_pushvalue(L, 2);
	lua_rawgeti(L, from, right);
	lua_rawgeti(L, from, left);
	lua_call(L, 2, 1);
	answer = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return answer;
}

/* Merges from[low..middle] and from[middle+1..high] into `to`. */
static void
merge(lua_State *L, int from, int to, lua_Integer low, lua_Integer middle, lua_Integer high)
{
	lua_Integer left = low, right = middle + 1, k;

	for (k = low; k <= high; k++) {
		bool take_right = left > middle ||
				  (right <= high && right_first(L, from, left, right));

		lua_rawgeti(L, from, take_right ? right++ : left++);
		lua_rawseti(L, to, k);
	}
}

/* A stable merge sort: equal items keep their order. */
int
sandbox_sort(lua_State *L)
{
	lua_Integer n, width, low;
	int from = 3, to = 4;

	luaL_checktype(L, 1, LUA_TTABLE);
	if (!lua_isnoneornil(L, 2))
		luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_settop(L, 2);
	n = luaL_len(L, 1);
	lua_newtable(L);
	lua_newtable(L);
	for (low = 1; low <= n; low++) {
		lua_geti(L, 1, low);
		lua_rawseti(L, from, low);
	}
	for (width = 1; width < n; width *= 2) {
		for (low = 1; low <= n; low += 2 * width) {
			lua_Integer middle = low + width - 1 < n ? low + width - 1 : n;
			lua_Integer high = low + 2 * width - 1 < n ? low + 2 * width - 1 : n;

			merge(L, from, to, low, middle, high);
		}
		from = 7 - from;
		to = 7 - to;
	}
	for (low = 1; low <= n; low++) {
		lua_rawgeti(L, from, low);
		lua_seti(L, 1, low);
	}
	return 0;
}

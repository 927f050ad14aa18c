#include <lauxlib.h>
#include <string.h>

#include "spec/fail.h"
#include "spec/fields.h"
#include "spec/sandbox.h"
#include "spec/value.h"

#define DEPTH 8 /* of lists within lists: more is a table that holds itself */

void
texts_add(struct arena *arena, struct texts *texts, const char *text)
{
	/* Room doubles at the powers of two, so that the count alone tells it. */
	size_t count = texts->count;

	if (count == 0 || (count >= 4 && (count & (count - 1)) == 0)) {
		char **grown = arena_alloc(arena, count < 4 ? 4 : count * 2, sizeof *grown);

		if (count > 0)
			memcpy(grown, texts->items, count * sizeof *grown);
		texts->items = grown;
	}
	texts->items[texts->count++] = arena_text(arena, text);
}

struct gathering {
	const struct fields *fields;
	struct texts texts, *used;
};

static void gather(struct gathering *g, int index, int first, const char *path, int depth);

static void
gather_one(struct gathering *g, const char *path, int depth)
{
	lua_State *L = g->fields->L;
	struct arena *arena = host_of(L)->arena;
	char *text;

	if (lua_istable(L, -1)) {
		gather(g, lua_gettop(L), 1, path, depth + 1);
		return;
	}
	text = fields_value_text(g->fields, -1, path);
	if (text == NULL)
		fields_fail(g->fields, path, "must be a text or a number, not %s",
			    value_describe(L, -1));
	if (g->texts.count >= FIELDS_LIST)
		fields_fail(g->fields, path, "more than %d items", FIELDS_LIST);
	if (g->used != NULL && lua_type(L, -1) == LUA_TUSERDATA)
		texts_add(arena, g->used, text);
	texts_add(arena, &g->texts, text);
}

static void
refuse_keys(struct gathering *g, int index, const char *path)
{
	lua_State *L = g->fields->L;
	lua_Integer length = (lua_Integer)lua_rawlen(L, index);

	for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1))
		if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) < 1 ||
		    lua_tointeger(L, -2) > length)
			fields_fail(g->fields, path, "must be a list; it has a key or a gap (nil)");
}

static void
gather(struct gathering *g, int index, int first, const char *path, int depth)
{
	lua_State *L = g->fields->L;
	struct arena *arena = host_of(L)->arena;
	lua_Integer i, length = (lua_Integer)lua_rawlen(L, index);

	if (depth > DEPTH)
		fields_fail(g->fields, path, "lists nested more than %d deep; does one hold itself?",
			    DEPTH);
	luaL_checkstack(L, 8, "lists within lists");
	if (index != g->fields->index)
		refuse_keys(g, index, path);
	for (i = first; i <= length; i++) {
		lua_rawgeti(L, index, i);
		gather_one(g, arena_printf(arena, "%s[%lld]", path, (long long)i), depth);
		lua_pop(L, 1);
	}
}

struct texts
fields_texts(const struct fields *fields, const char *key, enum fields_list form,
	     struct texts *used)
{
	struct gathering g = {fields, {NULL, 0}, used};
	int type = fields_push(fields, key);
	bool one = form == FIELDS_ONE_OR_LIST && type != LUA_TNIL;

	if (type == LUA_TTABLE)
		gather(&g, lua_gettop(fields->L), 1, key, 1);
	else if (one)
		gather_one(&g, key, 1);
	else if (type != LUA_TNIL)
		fields_fail(fields, key, "must be a list of texts such as { \"a\", \"b\" }, not %s",
			    value_describe(fields->L, -1));
	lua_pop(fields->L, 1);
	return g.texts;
}

struct texts
fields_items(const struct fields *fields, int first)
{
	struct gathering g = {fields, {NULL, 0}, NULL};

	gather(&g, fields->index, first, "", 1);
	return g.texts;
}

static void
read_setting(const struct fields *inner, struct setting *setting)
{
	lua_State *L = inner->L;

	if (lua_type(L, -1) != LUA_TSTRING)
		fields_fail(inner, "", "must be a table name = text; a key is %s", value_describe(L, -1));
	setting->name = fields_value_text(inner, -1, "");
	setting->value = fields_text(inner, setting->name, NULL);
}

struct settings
fields_settings(const struct fields *fields, const char *key)
{
	struct settings settings = {NULL, 0};
	struct fields inner;
	size_t count, i;

	if (!fields_open(fields, key, &inner))
		return settings;
	count = sandbox_sorted_keys(fields->L, inner.index);
	settings.items = arena_alloc(host_of(fields->L)->arena, count, sizeof *settings.items);
	for (i = 0; i < count; i++) {
		lua_rawgeti(fields->L, inner.index + 1, (lua_Integer)i + 1);
		read_setting(&inner, &settings.items[i]);
		lua_pop(fields->L, 1);
	}
	settings.count = count;
	lua_pop(fields->L, 2);
	return settings;
}

#include "spec/fields.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "spec/fail.h"
#include "spec/locate.h"
#include "spec/sandbox.h"
#include "spec/text.h"
#include "spec/value.h"

/* The table that the first component of `path` is read from. */
static const struct fields *
holder(const struct fields *fields, const char *path)
{
	lua_State *L = fields->L;
	size_t length = strcspn(path, ".[");
	bool has;

	if (fields->over == NULL || length == 0)
		return fields;
	luaL_checkstack(L, 2, "tables within tables");
	lua_pushlstring(L, path, length);
	has = lua_rawget(L, fields->over->index) != LUA_TNIL;
	lua_pop(L, 1);
	return has ? fields->over : fields;
}

/* "design" and "pairs" make "design.pairs"; "args" and "[1]" make "args[1]". */
static const char *
whole_path(const struct fields *fields, const char *path)
{
	const char *within = holder(fields, path)->within;
	bool dot = within[0] != '\0' && path[0] != '[' && path[0] != '\0';

	return arena_printf(host_of(fields->L)->arena, "%s%s%s", within, dot ? "." : "", path);
}

struct place
fields_place(const struct fields *fields, const char *path)
{
	struct source *source = host_source(host_of(fields->L), fields->place.file);
	struct place place = fields->place;

	if (source != NULL && place.line > 0)
		place.line = locate_key(source->text, source->length, place.line, fields->callee,
					fields->name, whole_path(fields, path));
	return place;
}

static const char *
heading(const struct fields *fields, const char *path)
{
	struct arena *arena = host_of(fields->L)->arena;
	const char *whole = whole_path(fields, path);
	const char *call = fields->name == NULL
			     ? fields->callee
			     : arena_printf(arena, "%s \"%.100s\"", fields->callee, fields->name);

	if (whole[0] == '\0')
		return call;
	if (whole[0] == '[')
		return arena_printf(arena, "%s: item %ld", call, strtol(whole + 1, NULL, 10));
	return arena_printf(arena, "%s: %s", call, whole);
}

static const char *
formatted(const struct fields *fields, const char *format, va_list arguments)
{
	char text[1600];

	vsnprintf(text, sizeof text, format, arguments);
	return arena_text(host_of(fields->L)->arena, text);
}

void
fields_fail(const struct fields *fields, const char *path, const char *format, ...)
{
	va_list arguments;
	const char *message;

	va_start(arguments, format);
	message = formatted(fields, format, arguments);
	va_end(arguments);
	fail_at(fields->L, fields_place(fields, path), "%s: %s", heading(fields, path), message);
}

void
fields_fail_unknown(const struct fields *fields, const char *path, const char *wrong,
		    const char *const *names, size_t count, const char *format, ...)
{
	va_list arguments;
	const char *message;

	va_start(arguments, format);
	message = formatted(fields, format, arguments);
	va_end(arguments);
	fail_unknown(fields->L, fields_place(fields, path), wrong, names, count, "%s: %s",
		     heading(fields, path), message);
}

static size_t
count_names(const char *const *names)
{
	size_t count = 0;

	while (names != NULL && names[count] != NULL)
		count++;
	return count;
}

static bool
among(const char *key, const char *const *names)
{
	for (; names != NULL && *names != NULL; names++)
		if (strcmp(*names, key) == 0)
			return true;
	return false;
}

static void
check_key(const struct fields *fields, const char *key, const char *const *known)
{
	if (among(key, known))
		return;
	if (known == NULL)
		fields_fail(fields, key, "must be a list; \"%.100s\" is a key", key);
	fail_unknown(fields->L, fields_place(fields, key), key, known, count_names(known),
		     "%s: unknown key \"%.100s\"", heading(fields, ""), key);
}

void
fields_only(const struct fields *fields, const char *const *known, int items)
{
	lua_State *L = fields->L;
	size_t count = sandbox_sorted_keys(L, fields->index), i;
	long long length = (long long)lua_rawlen(L, fields->index);

	for (i = 1; i <= count; i++) {
		lua_rawgeti(L, -1, (lua_Integer)i);
		if (lua_type(L, -1) == LUA_TSTRING)
			check_key(fields, lua_tostring(L, -1), known);
		else if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 ||
			 lua_tointeger(L, -1) > length)
			fields_fail(fields, "", "a key is %s; keys are names, or a list without gaps",
				    value_describe(L, -1));
		else if (items >= 0 && lua_tointeger(L, -1) > items)
			fields_fail(fields, arena_printf(host_of(L)->arena, "[%d]", items + 1),
				    items == 0 ? "a value without a key; write key = value"
					       : "one value too many without a key");
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}

int
fields_push(const struct fields *fields, const char *key)
{
	luaL_checkstack(fields->L, 8, "tables within tables");
	lua_pushstring(fields->L, key);
	return lua_rawget(fields->L, holder(fields, key)->index);
}

bool
fields_has(const struct fields *fields, const char *key)
{
	bool has = fields_push(fields, key) != LUA_TNIL;

	lua_pop(fields->L, 1);
	return has;
}

char *
fields_value_text(const struct fields *fields, int index, const char *path)
{
	lua_State *L = fields->L;
	struct arena *arena = host_of(L)->arena;
	char number[TEXT_NUMBER];
	const char *text;
	size_t length;

	if (lua_type(L, index) == LUA_TUSERDATA && value_path(L, index) != NULL)
		return arena_text(arena, value_path(L, index));
	if (lua_isinteger(L, index))
		return arena_printf(arena, "%lld", (long long)lua_tointeger(L, index));
	if (lua_type(L, index) == LUA_TNUMBER) {
		if (!isfinite(lua_tonumber(L, index)))
			fields_fail(fields, path, "must be a finite number");
		text_number(lua_tonumber(L, index), number);
		return arena_text(arena, number);
	}
	if (lua_type(L, index) != LUA_TSTRING)
		return NULL;
	text = lua_tolstring(L, index, &length);
	if (length > FIELDS_TEXT)
		fields_fail(fields, path, "a text of %zu bytes; at most %d are allowed", length,
			    FIELDS_TEXT);
	if (text_bad_utf8(text, length) >= 0 || memchr(text, '\0', length) != NULL)
		fields_fail(fields, path, "the text must be UTF-8 without NUL bytes");
	return arena_span(arena, text, length);
}

char *
fields_text(const struct fields *fields, const char *key, const char *otherwise)
{
	lua_State *L = fields->L;
	char *text;

	if (fields_push(fields, key) == LUA_TNIL) {
		lua_pop(L, 1);
		return otherwise != NULL ? arena_text(host_of(L)->arena, otherwise) : NULL;
	}
	text = fields_value_text(fields, -1, key);
	if (text == NULL)
		fields_fail(fields, key, "must be a text, not %s", value_describe(L, -1));
	lua_pop(L, 1);
	return text;
}

bool
fields_flag(const struct fields *fields, const char *key, bool otherwise)
{
	lua_State *L = fields->L;
	int type = fields_push(fields, key);
	bool flag = type == LUA_TNIL ? otherwise : lua_toboolean(L, -1);

	if (type != LUA_TNIL && type != LUA_TBOOLEAN)
		fields_fail(fields, key, "must be true or false, not %s", value_describe(L, -1));
	lua_pop(L, 1);
	return flag;
}

long long
fields_count(const struct fields *fields, const char *key, long long otherwise, long long least,
	     long long most)
{
	lua_State *L = fields->L;
	lua_Integer count;
	int whole;

	if (fields_push(fields, key) == LUA_TNIL) {
		lua_pop(L, 1);
		return otherwise;
	}
	count = lua_tointegerx(L, -1, &whole);
	if (lua_type(L, -1) != LUA_TNUMBER || !whole || count < least || count > most)
		fields_fail(fields, key, "must be a whole number from %lld to %lld, not %s", least, most,
			    value_describe(L, -1));
	lua_pop(L, 1);
	return count;
}

double
fields_number(const struct fields *fields, const char *key, double otherwise, double least,
	      bool above, double most)
{
	lua_State *L = fields->L;
	char low[TEXT_NUMBER], high[TEXT_NUMBER];
	double number;

	if (fields_push(fields, key) == LUA_TNIL) {
		lua_pop(L, 1);
		return otherwise;
	}
	number = lua_tonumber(L, -1);
	text_number(least, low);
	text_number(most, high);
	if (lua_type(L, -1) != LUA_TNUMBER || !(above ? number > least : number >= least) ||
	    !(number <= most))
		fields_fail(fields, key, "must be a number %s %s and at most %s, not %s",
			    above ? "above" : "of at least", low, high, value_describe(L, -1));
	lua_pop(L, 1);
	return number;
}

int
fields_choice(const struct fields *fields, const char *key, const char *const *choices,
	      int otherwise)
{
	const char *text = fields_text(fields, key, NULL);
	int i;

	if (text == NULL)
		return otherwise;
	for (i = 0; choices[i] != NULL; i++)
		if (strcmp(choices[i], text) == 0)
			return i;
	fields_fail_unknown(fields, key, text, choices, count_names(choices), "unknown value \"%.100s\"",
			    text);
}

bool
fields_open(const struct fields *fields, const char *key, struct fields *inner)
{
	lua_State *L = fields->L;
	int type = fields_push(fields, key);

	if (type == LUA_TNIL) {
		lua_pop(L, 1);
		return false;
	}
	if (type != LUA_TTABLE)
		fields_fail(fields, key, "must be a table { … }, not %s", value_describe(L, -1));
	*inner = *fields;
	inner->index = lua_gettop(L);
	inner->within = whole_path(fields, key);
	inner->over = NULL;
	return true;
}

void
fields_open_item(const struct fields *fields, const char *key, int item, struct fields *inner)
{
	lua_State *L = fields->L;
	const char *path = arena_printf(host_of(L)->arena, "%s[%d]", key, item);

	luaL_checkstack(L, 8, "tables within tables");
	lua_rawgeti(L, fields->index, item);
	if (!lua_istable(L, -1))
		fields_fail(fields, path, "must be a table { … }, not %s", value_describe(L, -1));
	*inner = *fields;
	inner->index = lua_gettop(L);
	inner->within = whole_path(fields, path);
	inner->over = NULL;
}

#include "spec/results_view.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "spec/fail.h"
#include "spec/host_state.h"
#include "spec/value.h"
#include "spec/warning_codes.h"

#define VIEW "assay.results"

struct view {
	json_t *value;
	enum view_kind kind;
	const char *name;
};

json_t *
view_json(lua_State *L, int index)
{
	struct view *view = luaL_testudata(L, index, VIEW);

	return view != NULL ? view->value : NULL;
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char **
key_names(lua_State *L, json_t *object, size_t *count)
{
	const char **names = arena_alloc(host_of(L)->arena, json_object_size(object) + 1, sizeof *names);
	const char *key;
	json_t *value;

	*count = 0;
	json_object_foreach(object, key, value)
		names[(*count)++] = key;
	qsort(names, *count, sizeof *names, by_bytes);
	return names;
}

static _Noreturn void
fail_no_key(lua_State *L, const struct view *view, const char *key)
{
	size_t count;
	const char **names = key_names(L, view->value, &count);

	fail_unknown(L, fail_place(L), key, names, count, "%s has no \"%.100s\"", view->name, key);
}

/* ---- what is asked of a case by a function ---- */

/* The case that the function was called on; `method` and `arguments` are how to write it. */
static struct view *
of_case(lua_State *L, const char *method, const char *arguments)
{
	struct view *view = luaL_testudata(L, 1, VIEW);

	if (view == NULL || view->kind != VIEW_CASE)
		fail_here(L, "%s belongs to a case: write at{ … }:%s(%s)", method, method, arguments);
	return view;
}

/* What the case has in `in` for the name in argument 2, and why it may lack there. */
static json_t *
find_named(lua_State *L, const struct view *view, const char *in, const char *what, const char *why)
{
	const char *name = luaL_checkstring(L, 2), **names;
	json_t *all = json_object_get(view->value, in), *found;
	size_t count;

	if (json_is_null(all))
		fail_unavailable(L);
	found = json_object_get(all, name);
	if (found == NULL) /* before measuring nobody knows the names of items */
		found = json_object_get(all, "*");
	if (found == NULL) {
		names = key_names(L, all, &count);
		fail_unknown(L, fail_place(L), name, names, count, "%s has no %s \"%.200s\"%s", view->name,
			     what, name, why);
	}
	return found;
}

/* case:item("name"): what the case is for that item. */
static int
item(lua_State *L)
{
	struct view *view = of_case(L, "item", "\"name\"");
	json_t *found = find_named(L, view, "items", "item", "");

	view_push(L, found, VIEW_CASE,
		  arena_printf(host_of(L)->arena, "%s:item(\"%s\")", view->name, lua_tostring(L, 2)));
	return 1;
}

/* case:metric("cpu_us"): the case by another metric of the experiment. */
static int
metric(lua_State *L)
{
	struct view *view = of_case(L, "metric", "\"name\"");
	json_t *found = find_named(L, view, "metrics", "metric", "");

	view_push(L, found, VIEW_CASE,
		  arena_printf(host_of(L)->arena, "%s:metric(\"%s\")", view->name, lua_tostring(L, 2)));
	return 1;
}

/* case:warning("code"): .told, and where it was, .text, .advice, .value. */
static int
warning(lua_State *L)
{
	struct view *view = luaL_testudata(L, 1, VIEW);
	json_t *all, *found;
	const char *code;
	size_t count;

	if (view == NULL || view->kind != VIEW_CASE || json_object_get(view->value, "warnings") == NULL)
		fail_here(L, "warning belongs to a case: write at{ … }:warning(\"drift\")");
	code = luaL_checkstring(L, 2);
	if (!warning_code_is_known(code)) {
		const char **names = warning_code_names(&count);

		fail_unknown(L, fail_place(L), code, names, count, "no warning is called \"%.100s\"", code);
	}
	all = json_object_get(view->value, "warnings");
	found = json_object_get(all, code);
	if (found == NULL)
		found = json_object_get(all, "*"); /* made-up results: either may be */
	if (found == NULL)
		found = json_object_get(all, "");
	if (found == NULL) {
		found = json_pack("{s:b, s:n, s:n, s:n, s:n}", "told", 0, "text", "advice", "value",
				  "severity");
		json_object_set_new(all, "", found);
	}
	view_push(L, found, VIEW_PLAIN, arena_printf(host_of(L)->arena, "the warning %s", code));
	return 1;
}

/* What `all` has for "b/a" of the arguments 2 and 3; the baseline stands for a missing 3rd. */
static int
push_of_two(lua_State *L, struct view *view, const char *in, const char *what, const char *which)
{
	struct host *host = host_of(L);
	const char *b = luaL_checkstring(L, 2), *a, *key, **names;
	json_t *all = json_object_get(view->value, in), *found;
	size_t count;

	lua_getfield(L, LUA_REGISTRYINDEX, "assay.baseline");
	a = luaL_optstring(L, 3, lua_tostring(L, -1));
	key = arena_printf(host->arena, "%s/%s", b, a);
	if (json_is_null(all))
		fail_unavailable(L);
	found = json_object_get(all, key);
	if (found == NULL) {
		names = key_names(L, all, &count);
		fail_unknown(L, fail_place(L), key, names, count, "%s has no %s %.200s (%s)", view->name, what,
			     key, which);
	}
	view_push(L, found, VIEW_PLAIN, arena_printf(host->arena, "the %s %s", what, key));
	return 1;
}

/* case:compare("b", "a") */
static int
compare(lua_State *L)
{
	struct view *view = of_case(L, "compare", "\"b\", \"a\"");

	return push_of_two(L, view, "comparisons", "comparison", "of b against a");
}

/* case:diagnosis("callgrind", "fused") */
static int
diagnosis(lua_State *L)
{
	struct view *view = of_case(L, "diagnosis", "\"callgrind\", \"fused\"");

	return push_of_two(L, view, "diagnoses", "diagnosis", "a tool and a variant");
}

/* case:search(): what the experiment's search found there. */
static int
search(lua_State *L)
{
	struct view *view = of_case(L, "search", "");
	json_t *found = json_object_get(view->value, "search");

	if (found == NULL)
		fail_here(L, "the experiment has no search = { … }");
	view_push(L, found, VIEW_PLAIN, arena_printf(host_of(L)->arena, "%s:search()", view->name));
	return 1;
}

/* case:roofline("name"): where a treatment stands. */
static int
roofline(lua_State *L)
{
	struct view *view = of_case(L, "roofline", "\"name\"");
	json_t *found = find_named(L, view, "rooflines", "roofline of", ": only variants that declare work are "
				   "on it, where the experiment has a roofline");

	view_push(L, found, VIEW_PLAIN,
		  arena_printf(host_of(L)->arena, "the roofline of %s", lua_tostring(L, 2)));
	return 1;
}

/* case:watermark("name"): what its perturbations say of a kernel. */
static int
watermark(lua_State *L)
{
	struct view *view = of_case(L, "watermark", "\"name\"");
	json_t *found = find_named(L, view, "watermarks", "perturbed kernel", "");

	view_push(L, found, VIEW_PLAIN,
		  arena_printf(host_of(L)->arena, "the watermark of %s", lua_tostring(L, 2)));
	return 1;
}

static const luaL_Reg case_methods[] = {
	{"compare", compare}, {"item", item}, {"search", search}, {"roofline", roofline},
	{"diagnosis", diagnosis}, {"metric", metric},   {"warning", warning},
	{"watermark", watermark}, {NULL, NULL},
};

static int
index_view(lua_State *L)
{
	struct view *view = luaL_checkudata(L, 1, VIEW);
	struct arena *arena = host_of(L)->arena;
	enum view_kind kind = VIEW_PLAIN;
	const luaL_Reg *method;
	const char *key;
	json_t *found;

	if (json_is_array(view->value)) {
		if (!lua_isinteger(L, 2))
			fail_here(L, "%s is a list; write %s[1]", view->name, view->name);
		found = lua_tointeger(L, 2) < 1 ? NULL
			: json_array_get(view->value, (size_t)lua_tointeger(L, 2) - 1);
		if (found == NULL)
			return 0;
		if (strcmp(view->name, "cases") == 0)
			kind = VIEW_CASE;
		view_push(L, found, kind, arena_printf(arena, "%s[%lld]", view->name,
						       (long long)lua_tointeger(L, 2)));
		return 1;
	}
	if (lua_type(L, 2) != LUA_TSTRING)
		fail_here(L, "%s is no list; write a name after it", view->name);
	key = lua_tostring(L, 2);
	for (method = case_methods; view->kind == VIEW_CASE && method->name != NULL; method++)
		if (strcmp(key, method->name) == 0) {
			lua_pushcfunction(L, method->func);
			return 1;
		}
	found = json_object_get(view->value, key);
	if (found == NULL)
		fail_no_key(L, view, key);
	view_push(L, found, VIEW_PLAIN, arena_printf(arena, "%s.%s", view->name, key));
	return 1;
}

static int
length(lua_State *L)
{
	struct view *view = luaL_checkudata(L, 1, VIEW);

	lua_pushinteger(L, (lua_Integer)(json_is_array(view->value) ? json_array_size(view->value)
								    : json_object_size(view->value)));
	return 1;
}

static int
refuse_change(lua_State *L)
{
	struct view *view = luaL_checkudata(L, 1, VIEW);

	fail_here(L, "%s can be read, not changed", view->name);
}

static int
release(lua_State *L)
{
	struct view *view = luaL_checkudata(L, 1, VIEW);

	json_decref(view->value);
	view->value = NULL;
	return 0;
}

static int
view_tostring(lua_State *L)
{
	struct view *view = luaL_checkudata(L, 1, VIEW);

	fail_here(L, "%s is no single value; pick one of its fields", view->name);
}

static const luaL_Reg methods[] = {
	{"__index", index_view},     {"__newindex", refuse_change}, {"__len", length}, {"__gc", release},
	{"__tostring", view_tostring}, {NULL, NULL},
};

static void
push_view(lua_State *L, json_t *value, enum view_kind kind, const char *name)
{
	struct view *view;

	view = lua_newuserdatauv(L, sizeof *view, 0);
	view->value = NULL; /* nothing to release until the metatable is there */
	view->kind = kind;
	view->name = name;
	if (luaL_newmetatable(L, VIEW)) {
		luaL_setfuncs(L, methods, 0);
		lua_pushboolean(L, 0);
		lua_setfield(L, -2, "__metatable");
	}
	lua_setmetatable(L, -2);
	view->value = json_incref(value);
}

void
view_push(lua_State *L, json_t *value, enum view_kind kind, const char *name)
{
	luaL_checkstack(L, 8, "results");
	switch (json_typeof(value)) {
	case JSON_NULL:
		fail_unavailable(L);
	case JSON_TRUE:
	case JSON_FALSE:
		lua_pushboolean(L, json_is_true(value));
		return;
	case JSON_INTEGER:
		lua_pushinteger(L, json_integer_value(value));
		return;
	case JSON_REAL:
		lua_pushnumber(L, json_real_value(value));
		return;
	case JSON_STRING:
		lua_pushlstring(L, json_string_value(value), json_string_length(value));
		return;
	default:
		push_view(L, value, kind, name);
	}
}

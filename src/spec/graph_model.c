#include "spec/graph_model.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "spec/api.h"
#include "spec/fail.h"

#define OUTPUTS "assay.outputs"

struct graph_rule *
graph_find_rule(struct host *host, const char *name)
{
	size_t i;

	for (i = 0; i < host->study.rule_count; i++)
		if (strcmp(host->study.rules[i].name, name) == 0)
			return &host->study.rules[i];
	return NULL;
}

struct graph_rule *
graph_add_rule(struct host *host, const char *name, struct place place)
{
	struct study *study = &host->study;
	struct graph_rule *rule;

	study->rules = arena_grow(host->arena, study->rules, study->rule_count, &host->rules_room,
				  sizeof *study->rules);
	rule = &study->rules[study->rule_count++];
	memset(rule, 0, sizeof *rule);
	rule->name = arena_text(host->arena, name);
	rule->place = place;
	return rule;
}

struct graph_edge *
graph_add_edge(struct host *host, const char *rule, struct place place)
{
	struct study *study = &host->study;
	struct graph_edge *edge;

	study->edges = arena_grow(host->arena, study->edges, study->edge_count, &host->edges_room,
				  sizeof *study->edges);
	edge = &study->edges[study->edge_count++];
	memset(edge, 0, sizeof *edge);
	edge->rule = arena_text(host->arena, rule);
	edge->place = place;
	return edge;
}

static bool
is_in(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

bool
graph_is_ours(const char *path)
{
	static const char *const folders[] = {
		"results", "build/bundle", "build/check", "build/diagnose", "build/identity", "build/plan", "build/report",
		"build/samples", "build/session", "build/stats", "build/always", "build/help.txt", "build/needs.json",
		"build/stats.json", "build/study.json", "build/templates",
	};
	size_t i;

	for (i = 0; i < sizeof folders / sizeof *folders; i++)
		if (is_in(path, folders[i]))
			return true;
	return false;
}

void
graph_measured_with(const struct fields *fields, const char *key, const char *path)
{
	if (graph_is_ours(path))
		fields_fail(fields, key, "\"%.300s\" is made from what is measured, so measuring would change what "
			    "is measured, and never end; copy it to another place", path);
	api_needs(fields, key, path);
}

void
graph_claim_output(const struct fields *fields, const char *key, const char *path)
{
	lua_State *L = fields->L;
	struct study *study = &host_of(L)->study;

	if (path[0] == '/')
		fields_fail(fields, key, "the output \"%.300s\" must lie in the study, best below build/",
			    path);
	if (is_in(path, "results"))
		fields_fail(fields, key, "the output \"%.300s\" lies in results/, which only sessions write: "
			    "Ninja deletes what an interrupted edge was to make", path);
	if (graph_is_ours(path) || strcmp(path, "build") == 0 || strncmp(path, ".ninja_", 7) == 0 ||
	    strcmp(path, "build.ninja") == 0)
		fields_fail(fields, key, "the output \"%.300s\" is where assay or Ninja writes itself; choose "
			    "another name, best in a folder of its own below build/", path);
	luaL_getsubtable(L, LUA_REGISTRYINDEX, OUTPUTS);
	if (lua_getfield(L, -1, path) != LUA_TNIL) {
		struct place other = study->edges[lua_tointeger(L, -1)].place;

		fields_fail(fields, key, "\"%.300s\" is made twice; first at %s:%d", path, other.file,
			    other.line);
	}
	lua_pop(L, 1);
	lua_pushinteger(L, (lua_Integer)study->edge_count - 1);
	lua_setfield(L, -2, path);
	lua_pop(L, 1);
}

bool
graph_makes(lua_State *L, const char *path)
{
	bool makes;

	luaL_getsubtable(L, LUA_REGISTRYINDEX, OUTPUTS);
	makes = lua_getfield(L, -1, path) != LUA_TNIL;
	lua_pop(L, 2);
	return makes;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct setting *)a)->name, ((const struct setting *)b)->name);
}

void
settings_add(struct arena *arena, struct settings *settings, const char *name, const char *value)
{
	struct setting *grown = arena_alloc(arena, settings->count + 1, sizeof *grown);

	if (settings->count > 0)
		memcpy(grown, settings->items, settings->count * sizeof *grown);
	grown[settings->count].name = arena_text(arena, name);
	grown[settings->count].value = arena_text(arena, value);
	settings->items = grown;
	settings->count++;
	qsort(grown, settings->count, sizeof *grown, by_name);
}

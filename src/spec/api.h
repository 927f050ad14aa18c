#ifndef ASSAY_API_H
#define ASSAY_API_H

#include <lua.h>

#include "spec/fields.h"

/*
 * The study API: what a spec can call (docs/spec.md). One file a group of names; each has an
 * open function that adds its names to the sandbox.
 */
void api_open(lua_State *L);
void api_open_study(lua_State *L);
void api_open_files(lua_State *L);
void api_open_program(lua_State *L);
void api_open_python(lua_State *L);
void api_open_graph(lua_State *L);
void api_open_experiment(lua_State *L);

struct api_function {
	const char *name;
	lua_CFunction function;
};
/* A list that ends with NULL. */
void api_add(lua_State *L, const struct api_function *functions);

/*
 * For `callee "name" { … }`: called with the name, gives back a function that calls `body` with
 * the table; `callee("name", { … })` works too. The place is the name's.
 */
int api_named(lua_State *L, const char *callee, lua_CFunction body);
/* In `body`: the table, the name and the place. */
void api_begin_named(lua_State *L, struct fields *fields, const char *callee);
/* For `callee { … }`. */
void api_begin(lua_State *L, struct fields *fields, const char *callee);

enum name_rule {
	NAME_FILE,  /* becomes part of file names and of Ninja names */
	NAME_LABEL, /* is only shown: may also start with a sign, and hold : = , @ */
};
void api_check_name(const struct fields *fields, const char *path, const char *name,
		    enum name_rule rule);

/* The path as the study writes it: relative to the root, or absolute. An error when it leads out
 * of the root. */
char *api_path(const struct fields *fields, const char *key, const char *path);
/* All paths of a list. */
void api_paths(const struct fields *fields, const char *key, struct texts *paths);
/* The graph must be made again when this file or folder ("x/") changes. */
void api_reads(lua_State *L, const char *path);
/* The same for an environment variable. */
void api_asks_environment(lua_State *L, const char *name);
/* The path must be there, or be made by the graph, when everything was read (finish.h). */
void api_needs(const struct fields *fields, const char *key, const char *path);
void api_needs_all(const struct fields *fields, const char *key, const struct texts *paths);

#endif

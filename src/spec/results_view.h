#ifndef ASSAY_RESULTS_VIEW_H
#define ASSAY_RESULTS_VIEW_H

#include <jansson.h>
#include <lua.h>

/*
 * A results document (docs/formats.md, "prose results") as Lua sees it: read-only, an unknown
 * name is an error with the nearest one, a null ends the evaluation as unavailable.
 */

enum view_kind { VIEW_PLAIN, VIEW_CASE };

/* Pushes the value; objects and arrays as views that hold a reference of their own. `name` is for
 * messages ("cases[1].variants"); it must live as long as the document's evaluation. */
void view_push(lua_State *L, json_t *value, enum view_kind kind, const char *name);
/* The document behind a view, or NULL. */
json_t *view_json(lua_State *L, int index);

#endif
